import Testing

@testable import KeyedArchive

/// Tests of when a buffer moves its elements to larger memory, and of what becomes of the former memory.
@Suite("Growing buffers")
struct GrowingBufferTests {
    /// Returns true if a change moves the elements to other memory.
    private func moves<Element: BitwiseCopyable>(
        _ buffer: borrowing GrowingBuffer<Element>, _ change: (borrowing GrowingBuffer<Element>) -> Void
    ) -> Bool {
        let before = buffer.elements.baseAddress
        change(buffer)
        return buffer.elements.baseAddress != before
    }

    /// Appends sevens in one of four ways.
    private func append(_ count: Int, to buffer: borrowing GrowingBuffer<Int>, _ form: Int) {
        switch form {
        case 0: for _ in 0..<count { buffer.append(7) }
        case 1:
            let source = UnsafeMutableBufferPointer<Int>.allocate(capacity: count)
            source.initialize(repeating: 7)
            buffer.append(copying: UnsafeBufferPointer(source))
            source.deallocate()
        case 2:
            buffer.append(count: count) { room in
                for position in 0..<count { room[position] = 7 }
            }
        default: buffer.append(repeating: 7, count: count)
        }
    }

    @Test("As many elements as the first capacity stay where they are, one more moves them", arguments: 0..<4)
    func capacity(_ form: Int) {
        let buffer = GrowingBuffer<Int>(capacity: 8)
        let movesEight = moves(buffer) { append(8, to: $0, form) }
        #expect(!movesEight)
        let movesNine = moves(buffer) { append(1, to: $0, form) }
        #expect(movesNine)
        let elements = Array(buffer.elements)
        #expect(elements == Array(repeating: 7, count: 9))
    }

    @Test("Many elements beyond the capacity are kept in their order", arguments: 0..<4)
    func many(_ form: Int) {
        let buffer = GrowingBuffer<Int>(capacity: 2)
        buffer.append(1)
        let movesAll = moves(buffer) { append(1000, to: $0, form) }
        #expect(movesAll)
        buffer.append(2)
        let elements = Array(buffer.elements)
        #expect(elements == [1] + Array(repeating: 7, count: 1000) + [2])
    }

    @Test("Memory is reserved only if there is less than requested")
    func reserved() {
        let buffer = GrowingBuffer<UInt8>(capacity: 16)
        buffer.append(repeating: 1, count: 10)
        let movesForSix = moves(buffer) { $0.reserve(6) }
        #expect(!movesForSix)
        let movesForSeven = moves(buffer) { $0.reserve(7) }
        #expect(movesForSeven)
        let elements = Array(buffer.elements)
        #expect(elements == Array(repeating: 1, count: 10))
    }

    static let growths: [(Int, Int)] = [(16, 64), (64, 256), (32_767, 131_068), (32_768, 65_536), (40_000, 80_000)]

    @Test("A buffer of less than 32 KiB grows fourfold, a larger one twofold", arguments: growths)
    func growth(_ capacity: Int, _ grown: Int) {
        let buffer = GrowingBuffer<UInt8>(repeating: 1, count: capacity)
        let movesOne = moves(buffer) { $0.append(2) }
        #expect(movesOne)
        let movesRest = moves(buffer) { $0.reserve(grown - capacity - 1) }
        #expect(!movesRest)
        let movesMore = moves(buffer) { $0.reserve(grown - capacity) }
        #expect(movesMore)
    }

    @Test("A buffer without capacity takes memory for its first element")
    func withoutCapacity() {
        let buffer = GrowingBuffer<Int>(capacity: 0)
        buffer.append(5)
        let movesForNone = moves(buffer) { $0.reserve(0) }
        #expect(!movesForNone)
        let elements = Array(buffer.elements)
        #expect(elements == [5])
    }

    @Test("A number needs the room of a word, however few bytes it takes")
    func words() {
        let buffer = GrowingBuffer<UInt8>(capacity: 32)
        buffer.append(repeating: 1, count: 24)
        let movesWithEight = moves(buffer) { $0.append(bigEndian: 0x0203, width: 2) }
        #expect(!movesWithEight)
        let movesWithSix = moves(buffer) { $0.append(bigEndian: 4, width: 1) }
        #expect(movesWithSix)
        let last = Array(buffer.elements.suffix(4))
        #expect(last == [1, 2, 3, 4])
        let count = buffer.count
        #expect(count == 27)
    }

    @Test("A short object needs the room of two words, however few bytes it takes")
    func shortObjects() {
        let buffer = GrowingBuffer<UInt8>(capacity: 32)
        buffer.append(repeating: 1, count: 16)
        let movesWithSixteen = moves(buffer) { $0.append(ShortScalar(uid: 5)) }
        #expect(!movesWithSixteen)
        let movesWithFourteen = moves(buffer) { $0.append(ShortScalar(uid: 6)) }
        #expect(movesWithFourteen)
        let last = Array(buffer.elements.suffix(5))
        #expect(last == [1, 0x80, 5, 0x80, 6])
        let count = buffer.count
        #expect(count == 20)
    }

    @Test("The memory of a buffer is used again after its end, and the former one after it has grown")
    func usedAgain() {
        // Together this is more than a sanitizer keeps of freed memory, but none of it is touched.
        var (first, second, last): (Set<UInt>, Set<UInt>, Set<UInt>) = ([], [], [])
        for _ in 0..<1000 {
            let large = GrowingBuffer<UInt8>(capacity: 1 << 20)
            first.insert(UInt(bitPattern: large.elements.baseAddress))
            let grown = GrowingBuffer<UInt8>(capacity: 16)
            grown.reserve(1 << 20)
            second.insert(UInt(bitPattern: grown.elements.baseAddress))
            grown.reserve(1 << 23)
            last.insert(UInt(bitPattern: grown.elements.baseAddress))
        }
        #expect(first.count < 1000)
        #expect(second.count < 1000)
        #expect(last.count < 1000)
    }
}
