import Testing

@testable import KeyedArchive

/// Tests of the hash that keeps a sender from choosing texts that collide.
@Suite("Hashes of bytes")
struct ByteHashTests {
    private let hasher = ByteHash()

    private func hash(_ bytes: [UInt8]) -> UInt64 { bytes.withUnsafeBytes { hasher.hash($0) } }

    @Test("A text has another hash after a change of any of its bytes", arguments: 1...50)
    func everyByte(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0 + 1) }
        let expected = hash(bytes)
        for place in 0..<count {
            for bit: UInt8 in [0x01, 0x80] {
                var other = bytes
                other[place] ^= bit
                let changed = hash(other)
                #expect(changed != expected, "byte \(place) of \(count)")
            }
        }
    }

    @Test("Texts that differ in one byte all have different hashes, wherever it stands", arguments: [8, 16, 32, 48])
    func manyTexts(_ count: Int) {
        for place in 0..<count {
            let hashes = (0...UInt8.max).map { byte -> UInt64 in
                var bytes = [UInt8](repeating: 0x61, count: count)
                bytes[place] = byte
                return hash(bytes)
            }
            let different = Set(hashes).count
            #expect(different == 256, "byte \(place) of \(count)")
        }
    }

    @Test("Texts of zeros have different hashes for each length")
    func lengths() {
        let hashes = (0...50).map { hash([UInt8](repeating: 0, count: $0)) }
        let different = Set(hashes).count
        #expect(different == 51)
    }

    @Test("Two equal blocks of a text in another order have another hash")
    func order() {
        let (first, second) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let end = [UInt8](repeating: 3, count: 8)
        let forward = hash(first + second + end)
        let backward = hash(second + first + end)
        #expect(forward != backward)
    }

    @Test("Equal bytes have one hash in all tables of the process, wherever they lie in memory", arguments: 0...40)
    func equalBytes(_ count: Int) {
        let bytes = (0..<count).map { UInt8($0 + 1) }
        let expected = hash(bytes)
        let another = bytes.withUnsafeBytes { ByteHash().hash($0) }
        #expect(another == expected)
        let longer: [UInt8] = [0xFF] + bytes + [0xFF]
        let shifted = longer.withUnsafeBytes { buffer in
            hasher.hash(UnsafeRawBufferPointer(rebasing: buffer[1..<(count + 1)]))
        }
        #expect(shifted == expected)
    }

    @Test("Two words have another hash after a change of either, and when they change places")
    func words() {
        let expected = hasher.hash(5, 7)
        let again = ByteHash().hash(5, 7)
        #expect(again == expected)
        let otherLow = hasher.hash(6, 7)
        #expect(otherLow != expected)
        let otherHigh = hasher.hash(5, 8)
        #expect(otherHigh != expected)
        let swapped = hasher.hash(7, 5)
        #expect(swapped != expected)
    }

    @Test("A thousand addresses have different hashes")
    func addresses() {
        let hashes = (0..<1000).map { hasher.hash(UInt(0x1000 + 16 * $0)) }
        let different = Set(hashes).count
        #expect(different == 1000)
    }
}
