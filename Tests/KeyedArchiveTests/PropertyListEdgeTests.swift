import Foundation
import Testing

@testable import KeyedArchive

/// Tests of files that are invalid in one number only, and of what is written besides the values.
@Suite("Edges of files")
struct PropertyListEdgeTests {
    private func refusal(_ data: Data, limits: ArchiveLimits = .standard) -> ArchiveError? {
        do {
            _ = try PropertyListValue(binary: data, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    /// Returns a file of some bytes, the first object of which is the top one, and of an offset table.
    private func file(_ bytes: [UInt8], offsets: [UInt8], table: UInt64? = nil) -> Data {
        var data = Data("bplist00".utf8)
        data += bytes
        let place = table ?? UInt64(data.count)
        data += offsets
        data += [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [UInt64(offsets.count), 0, place] { data += withUnsafeBytes(of: number.bigEndian) { Data($0) } }
        return data
    }

    // MARK: - Frame

    @Test("A file is longer than its header and trailer")
    func shortest() {
        let header = Data("bplist00".utf8)
        let bare = refusal(header + Data(count: 32))
        let expected = ArchiveError(.notPropertyList, "40 bytes that do not start with “bplist00”", offset: 0)
        #expect(bare == expected)
        let longer = refusal(header + Data(count: 33))
        #expect(longer?.code == .corruptTrailer)
    }

    @Test("A file with any other header is no property list", arguments: 0..<8)
    func headers(_ place: Int) {
        var data = PropertyListTests.file("09")
        let valid = refusal(data)
        #expect(valid == nil)
        data[place] ^= 1
        let invalid = refusal(data)
        #expect(invalid?.code == .notPropertyList)
        #expect(invalid?.offset == 0)
    }

    @Test("An offset table outside of the file is refused with its place", arguments: [0, 8, 12, 13, .max] as [UInt64])
    func tables(_ table: UInt64) {
        let data = file([0x09, 0x08], offsets: [8, 9], table: table)
        let came = refusal(data)
        #expect(came == ArchiveError(.corruptTrailer, "offset table at \(table)", offset: 12))
    }

    @Test("An offset table within the file that does not end at the trailer is refused with both places")
    func gaps() {
        for table: UInt64 in [9, 11] {
            let came = refusal(file([0x09, 0x08], offsets: [8, 9], table: table))
            let detail = "2 offsets of 1 bytes do not fill the space from \(table) to 12"
            #expect(came == ArchiveError(.corruptTrailer, detail, offset: 12))
        }
    }

    @Test("References of one byte are enough for 255 objects, not for 256")
    func widthOfReferences() throws {
        let most = try PropertyListValue(binary: PropertyListTests.file(objects: Array(repeating: "09", count: 255)))
        #expect(most == .boolean(true))
        let objects = Array(repeating: "09", count: 256)
        let more = refusal(PropertyListTests.file(objects: objects))
        #expect(more?.code == .corruptTrailer)
        let wider = try PropertyListValue(binary: PropertyListTests.file(objects: objects, referenceSize: 2))
        #expect(wider == .boolean(true))
    }

    @Test("Offsets of one byte are enough for a table at byte 255, not for one at 256")
    func widthOfOffsets() {
        // The header, and the marker and count of the data, take twelve bytes.
        let most = refusal(file([0x4F, 0x11, 0, 243] + [UInt8](repeating: 0, count: 243), offsets: [8]))
        #expect(most == nil)
        let more = refusal(file([0x4F, 0x11, 0, 244] + [UInt8](repeating: 0, count: 244), offsets: [8]))
        #expect(more?.code == .corruptTrailer)
    }

    // MARK: - Texts

    @Test("Half a surrogate pair is refused even if the other half follows the text, or stands in its place")
    func halves() {
        for text in ["62 dc00 dc00", "62 dfff dc00", "62 dc01 dfff", "62 d800 e000", "62 d800 dbff"] {
            let came = refusal(PropertyListTests.file(text))
            #expect(came?.code == .corruptObject, "\(text)")
            #expect(came?.detail == "string is not valid UTF-16", "\(text)")
        }
        // The second object is not valid itself, but nothing refers to it.
        let followed = refusal(PropertyListTests.file(objects: ["61 d83d", "de00"]))
        #expect(followed?.detail == "string is not valid UTF-16")
    }

    @Test("A short text with a letter beyond ASCII is written as UTF-16")
    func shortText() throws {
        let data = try PropertyListValue.string("K\u{E4}se").binaryData()
        let bytes = Array(data[8..<17])
        #expect(bytes == [0x64, 0, 0x4B, 0, 0xE4, 0, 0x73, 0, 0x65])
    }

    @Test("Short texts that differ in any byte are different objects")
    func shortTexts() {
        let text = ShortScalar(inPlace: "abcdefghijkl")
        #expect(text != nil)
        for other in ["abcdefghijkx", "xbcdefghijkl", "abcdefghijk", "abcdefghijklm", "", "abcdefg"] {
            let scalar = ShortScalar(inPlace: other)
            #expect(scalar != nil)
            #expect(scalar != text, "\(other)")
        }
    }

    // MARK: - What is written

    /// Fills freed memory of a size, so that new memory of this size is not zero.
    private func fillFreedMemory(_ size: Int) {
        let blocks = (0..<16).map { _ -> UnsafeMutableRawPointer in
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 1)
            block.initializeMemory(as: UInt8.self, repeating: 0xAA, count: size)
            return block
        }
        for block in blocks { block.deallocate() }
    }

    @Test("The unused bytes of a trailer are zero, whatever the memory contained before")
    func unused() throws {
        let value = PropertyListValue.string(String(repeating: "a", count: 300))
        let size = try value.binaryData().count
        for _ in 0..<3 {
            fillFreedMemory(size)
            let data = try value.binaryData()
            let unused = Array(data.suffix(32).prefix(6))
            #expect(unused == [0, 0, 0, 0, 0, 0])
        }
    }

    @Test("A collection that is contained twice is written once, of each kind", arguments: 0..<3)
    func shared(_ kind: Int) throws {
        var tree: PropertyListValue
        switch kind {
        case 0: tree = .array([.integer(1000)])
        case 1: tree = .set([.integer(1000)])
        default: tree = .dictionary(["a": .integer(1000)])
        }
        for _ in 0..<10 {
            switch kind {
            case 0: tree = .array([tree, tree])
            case 1: tree = .set([tree, tree])
            default: tree = .dictionary(["a": tree, "b": tree])
            }
        }
        let data = try tree.binaryData()
        // Eleven collections and the number, and the keys of the dictionaries.
        let count = data.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
        #expect(count == (kind == 2 ? 14 : 12))
        let read = try PropertyListValue(binary: data)
        #expect(read == tree)
    }

    // MARK: - Limits

    @Test("The first value beyond the limit of objects is refused at once, with its path")
    func objects() {
        let value = PropertyListValue.array([.integer(1000), .integer(1001), .integer(1002)])
        var limits = ArchiveLimits.standard
        limits.objects = 3
        let lowered = limits
        let error = #expect(throws: ArchiveError.self) { try value.binaryData(limits: lowered) }
        let detail = "more than 67108864 bytes or 3 objects"
        #expect(error == ArchiveError(.limitExceeded, detail, keyPath: "[2]"))
    }

    @Test("A dictionary and a list that take too much memory are refused at their own place")
    func memory() throws {
        let values: [PropertyListValue] = [
            .dictionary(["a": .boolean(true)]), .array([.boolean(true), .boolean(false)]),
        ]
        for value in values {
            let data = try value.binaryData()
            var limits = ArchiveLimits.standard
            limits.memory = 31
            let error = refusal(data, limits: limits)
            let detail = "the values would take over 4 times the file"
            #expect(error == ArchiveError(.limitExceeded, detail, offset: 8))
        }
    }
}
