import Testing

@testable import KeyedArchive

/// Tests of writing into memory of exactly the needed length.
@Suite("Bytes of a file that is written")
struct OutputBytesTests {
    /// Returns the memory after a closure wrote to it. Bytes that are not written are 0xEE.
    private func memory(_ count: Int, _ write: (OutputBytes) -> Void) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: count)
        bytes.withUnsafeMutableBytes { write(OutputBytes($0)) }
        return bytes
    }

    @Test("A number of any width fills the memory to its last byte", arguments: 1...8)
    func numbers(_ width: Int) {
        let digits: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let whole = memory(width) { $0.put(0x0102_0304_0506_0708, width: width, at: 0) }
        #expect(whole == Array(digits.suffix(width)))
        let last = memory(width + 3) { $0.put(0x0102_0304_0506_0708, width: width, at: 3) }
        #expect(last == [0xEE, 0xEE, 0xEE] + digits.suffix(width))
    }

    @Test("Bytes fill the memory to its last byte")
    func bytes() {
        var place = 1
        let text: [UInt8] = [1, 2, 3]
        let written = memory(4) { output in
            text.withUnsafeBufferPointer { output.put($0, at: &place) }
        }
        #expect(written == [0xEE, 1, 2, 3])
        #expect(place == 4)
    }

    @Test("No bytes change nothing, even at the end of the memory")
    func noBytes() {
        var place = 2
        let written = memory(2) { output in
            output.put(UnsafeBufferPointer(start: nil, count: 0), at: &place)
        }
        #expect(written == [0xEE, 0xEE])
        #expect(place == 2)
    }

    @Test(
        "References fill the memory to its last byte; scalars follow the root, containers the scalars",
        arguments: [1, 2, 4])
    func references(_ width: Int) {
        let references: [ObjectTable.Index] = [0, 5, ObjectTable.containerBit | 1, ObjectTable.containerBit | 7]
        var place = 1
        let written = memory(1 + 4 * width) { output in
            references.withUnsafeBufferPointer { output.put($0, scalars: 20, width: width, at: &place) }
        }
        let numbers: [UInt8] = [1, 6, 21, 27]
        let expected = numbers.flatMap { [UInt8](repeating: 0, count: width - 1) + [$0] }
        #expect(written == [0xEE] + expected)
        #expect(place == 1 + 4 * width)
    }

    @Test("The offsets of scalars fill the memory to its last byte", arguments: [1, 2, 4, 8])
    func offsets(_ width: Int) {
        let scalars = ([0, 7, 200] as [UInt32]).map { ObjectTable.Scalar(start: $0) }
        var place = 2
        let written = memory(2 + 3 * width) { output in
            scalars.withUnsafeBufferPointer { output.put(offsetsOf: $0, from: 8, width: width, at: &place) }
        }
        let numbers: [UInt8] = [8, 15, 208]
        let expected = numbers.flatMap { [UInt8](repeating: 0, count: width - 1) + [$0] }
        #expect(written == [0xEE, 0xEE] + expected)
        #expect(place == 2 + 3 * width)
    }

    static let headers: [(Int, [UInt8])] = [
        (0, [0xA0]), (1, [0xA1]), (14, [0xAE]), (15, [0xAF, 0x10, 15]), (0xFF, [0xAF, 0x10, 0xFF]),
        (0x100, [0xAF, 0x11, 1, 0]), (0xFFFF, [0xAF, 0x11, 0xFF, 0xFF]), (0x1_0000, [0xAF, 0x12, 0, 1, 0, 0]),
        (0xFFFF_FFFF, [0xAF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF]), (0x1_0000_0000, [0xAF, 0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
    ]

    @Test("The marker and the count of an object take the fewest bytes, as many as announced", arguments: headers)
    func markers(_ count: Int, _ expected: [UInt8]) {
        var place = 0
        let written = memory(expected.count) { $0.put(marker: ObjectMarker.array, count: count, at: &place) }
        #expect(written == expected)
        #expect(place == expected.count)
        let announced = OutputBytes.headerLength(count: count)
        #expect(announced == expected.count)
    }
}
