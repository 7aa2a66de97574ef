import Foundation
import Testing

@testable import KeyedArchive

@Suite("Binary property lists")
struct PropertyListTests {
    static let values: [PropertyListValue] = [
        .boolean(true), .boolean(false), .integer(0), .integer(255), .integer(256), .integer(65_536), .integer(1 << 32),
        .integer(-1), .integer(.min), .integer(.max), .unsigned(.max), .float(1.5), .real(-0.0), .real(.infinity),
        .date(700_000_000.25), .data(Data()), .data(Data(repeating: 7, count: 300)), .string(""), .string("plain"),
        .string("Grüße 🥦 \u{1F468}\u{200D}\u{1F469}"), .string(String(repeating: "x", count: 70_000)), .uid(0),
        .uid(70_000), .array([]), .array([.string("a"), .string("a"), .integer(1), .boolean(true), .real(1)]),
        .dictionary([:]), .dictionary(["b": .array([.dictionary(["c": .uid(3)])]), "a": .data(Data([1]))]),
    ]

    @Test("Written values are read back", arguments: values)
    func roundTrip(_ value: PropertyListValue) throws {
        let read = try PropertyListValue(binary: value.binaryData())
        #expect(read == value)
    }

    @Test("Equal values have equal bytes, whatever the order of a dictionary")
    func deterministic() throws {
        let keys = (0..<100).map { "key\($0)" }
        let forward = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.string($0)) })
        let backward = Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, PropertyListValue.string($0)) })
        let written = try PropertyListValue.dictionary(forward).binaryData()
        let again = try PropertyListValue.dictionary(backward).binaryData()
        #expect(written == again)
    }

    @Test("Foundation reads what is written", arguments: [255, 256, 300])
    func foundationReads(count: Int) throws {
        // 255 and 256 objects are the limits of one-byte references.
        let value = PropertyListValue.array((0..<count).map { .integer(Int64($0) + 1000) })
        let object = try PropertyListSerialization.propertyList(from: value.binaryData(), format: nil)
        #expect(object as? [Int] == (0..<count).map { $0 + 1000 })
    }

    @Test("Every prefix of a file is refused")
    func truncated() throws {
        let data = try PropertyListValue.dictionary(["key": .array([.string("Grüße"), .integer(5)])]).binaryData()
        for length in 0..<data.count {
            #expect(throws: ArchiveError.self) { try PropertyListValue(binary: data.prefix(length)) }
        }
    }

    @Test("A file with a changed byte is read or refused, never crashes")
    func changedBytes() throws {
        let data = try PropertyListValue.dictionary([
            "key": .array([.string("Grüße"), .integer(-5), .date(1), .uid(3), .data(Data([1, 2]))]), "other": .real(2),
        ]).binaryData()
        var refused = 0
        for index in data.indices {
            for value in stride(from: 0, through: 255, by: 5) {
                var changed = data
                changed[index] = UInt8(value)
                if (try? PropertyListValue(binary: changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > 500)
    }

    @Test(
        "Hostile files are refused with the cause",
        arguments: [
            ("a count beyond the file", "620070006c697374", ArchiveError.Code.notPropertyList),
            ("an array of 2^62", "a f13 4000000000000000", .corruptObject),
            ("an array that contains itself", "a1 00", .cycle),
            ("an unknown marker", "70", .corruptObject),
            ("a date that is not a number", "33 7ff8000000000000", .corruptObject),
            ("text that is not UTF-8", "52 c328", .corruptObject),
            ("text that is not UTF-16", "61 d800", .corruptObject),
            ("an integer of more than 64 bits", "14 00000000000000010000000000000000", .corruptObject),
            ("a UID of more than 32 bits", "87 0000000100000000", .corruptObject),
            ("a reference to nothing", "a1 05", .corruptObject),
        ])
    func hostile(_ what: String, _ hexadecimal: String, _ expected: ArchiveError.Code) {
        let data = what == "a count beyond the file" ? Data(hexadecimal.utf8) : Self.file(hexadecimal)
        #expect(code { try PropertyListValue(binary: data) } == expected, "\(what)")
    }

    @Test("A dictionary with a duplicate key is refused")
    func duplicateKey() {
        // Object 0: {1: 2, 1: 2}; object 1: "a"; object 2: true.
        let data = Self.file(objects: ["d2 01 01 02 02", "51 61", "09"])
        #expect(code { try PropertyListValue(binary: data) } == .duplicateKey)
    }

    @Test(
        "An archived object with a duplicate key, in any encoding of the key, is refused",
        arguments: [
            ("one short text", ["51 61"], true),
            ("two short texts", ["51 61", "51 62"], false),
            ("one text that is not short", ["5f 10 0f \(longKey)"], true),
            ("the same text twice", ["5f 10 0f \(longKey)", "5f 10 0f \(longKey)"], true),
            ("texts that are not short", ["5f 10 0f \(longKey)", "5f 10 0f 62\(longKey.dropFirst(2))"], false),
            ("a text and its beginning", ["5f 10 0f \(longKey)", "5f 10 10 \(longKey)61"], false),
            ("a short text in two forms", ["51 61", "5f 10 01 61"], true),
            (
                "a text in two encodings", ["5f 10 0f \(longKey)", "6f 10 0f \(String(repeating: "0061", count: 15))"],
                true
            ),
        ])
    func duplicateKeyOfAnObject(_ what: String, _ keys: [String], _ isDuplicate: Bool) {
        // Object 0: the root, whose keys and values are object 1 and, if present, object 2.
        let references = keys.count == 1 ? "01 01" : "01 02"
        let data = Self.file(objects: ["d2 \(references) \(references)"] + keys)
        let expected: ArchiveError.Code = isDuplicate ? .duplicateKey : .notKeyedArchive
        #expect(
            code { try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) } == expected, "\(what)")
    }

    /// A text of 15 letters.
    private static let longKey = String(repeating: "61", count: 15)

    @Test("A dictionary with a key that is not text is refused")
    func keyType() {
        #expect(code { try PropertyListValue(binary: Self.file(objects: ["d1 01 01", "09"])) } == .typeMismatch)
    }

    @Test("Deep nesting is refused, not recursed into")
    func depth() {
        let objects = (1...2000).map { String(format: "a1 %04x", $0) } + ["09"]
        #expect(code { try PropertyListValue(binary: Self.file(objects: objects, referenceSize: 2)) } == .limitExceeded)
    }

    @Test("Shared arrays are read once, so 2^30 leaves cost thirty reads")
    func amplification() throws {
        let objects = (1...30).map { String(format: "a2 %02x %02x", $0, $0) } + ["09"]
        let tree = try PropertyListValue(binary: Self.file(objects: objects))
        // Comparing them also takes thirty steps.
        #expect(try PropertyListValue(binary: Self.file(objects: objects)) == tree)
        #expect(try PropertyListValue(binary: Self.file(objects: objects.dropLast() + ["08"])) != tree)
        #expect(
            try PropertyListValue(binary: Self.file(objects: Array(objects.dropLast(2)) + ["a2 1e 1f", "09", "08"]))
                != tree)
    }

    @Test("Trees are equal by kind and value, whatever they share")
    func equality() {
        let shared = PropertyListValue.array([.integer(1)])
        #expect(PropertyListValue.array([shared, shared]) == .array([.array([.integer(1)]), .array([.integer(1)])]))
        #expect(PropertyListValue.array([shared, shared]) != .array([shared, .array([.integer(2)])]))
        #expect(PropertyListValue.array([.integer(1)]) != .set([.integer(1)]))
        #expect(PropertyListValue.integer(1) != .boolean(true))
        #expect(PropertyListValue.dictionary(["a": shared]) == .dictionary(["a": .array([.integer(1)])]))
        #expect(PropertyListValue.dictionary(["a": shared]) != .dictionary(["b": shared]))
        #expect(PropertyListValue.dictionary([:]) != .array([]))
    }

    @Test("Bodies that overlap are refused when they exceed the file")
    func overlap() {
        // Forty references to forty strings that all claim the same 300 bytes.
        var bytes = Data("bplist00".utf8)
        bytes += [0xAF, 0x10, 40] + (1...40)
        let string = bytes.count
        bytes += [0x5F, 0x11, 1, 44] + [UInt8](repeating: 0x61, count: 300)
        let table = bytes.count
        for offset in [8] + Array(repeating: string, count: 40) { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, 1] + [0, 0, 0, 0, 0, 0, 0, 41] + [0, 0, 0, 0, 0, 0, 0, 0]
        bytes += [0, 0, 0, 0, 0, 0, UInt8(table >> 8), UInt8(table & 255)]
        #expect(code { try PropertyListValue(binary: bytes) } == .limitExceeded)
    }

    @Test("A caller can lower the limits")
    func limits() throws {
        var limits = ArchiveLimits()
        limits.bytes = 10
        let data = try PropertyListValue.string("longer than ten bytes").binaryData()
        #expect(code { try PropertyListValue(binary: data, limits: limits) } == .limitExceeded)
    }

    @Test("UTF-8 in a string that claims to be ASCII is read, as real files need it")
    func utf8() throws {
        let text = try PropertyListValue(binary: Self.file("53 c2a9 61"))
        #expect(text == .string("©a"))
    }

    @Test("Two spellings of one character stay distinct")
    func normalisation() throws {
        let value = PropertyListValue.array([.string("e\u{301}"), .string("\u{E9}")])
        let tree = try PropertyListValue(binary: value.binaryData())
        guard case .array(let read) = tree, case .string(let first) = read[0], case .string(let second) = read[1]
        else {
            Issue.record("expected two texts, came \(tree)")
            return
        }
        #expect(Array(first.unicodeScalars) != Array(second.unicodeScalars))
    }

    @Test("A value that is not a property list is refused with its key path")
    func unsupported() throws {
        do {
            _ = try PropertyListValue(object: ["outer": ["inner": [1, UUID()] as [Any]]])
            Issue.record("a UUID was taken")
        } catch {
            #expect(error.keyPath == "outer.inner[1]")
        }
    }

    /// Returns a file of objects given in hexadecimal, the first as the top object.
    static func file(_ object: String) -> Data { file(objects: [object]) }

    static func file(objects: [String], referenceSize: UInt8 = 1) -> Data {
        var bytes = Data("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            let digits = Array(object.filter { $0 != " " })
            for index in stride(from: 0, to: digits.count - 1, by: 2) {
                bytes.append(UInt8(String(digits[index...(index + 1)]), radix: 16) ?? 0)
            }
        }
        let table = bytes.count
        for offset in offsets { bytes += [UInt8(offset >> 8), UInt8(offset & 255)] }
        bytes += [0, 0, 0, 0, 0, 0, 2, referenceSize]
        bytes += withUnsafeBytes(of: UInt64(objects.count).bigEndian) { Data($0) }
        bytes += withUnsafeBytes(of: UInt64(0).bigEndian) { Data($0) }
        bytes += withUnsafeBytes(of: UInt64(table).bigEndian) { Data($0) }
        return bytes
    }

    @Test("A short text has the same bytes whether read from inline storage or from its bytes")
    func shortTexts() {
        for count in 0...20 {
            let text = String(repeating: "x", count: count)
            let bytes = Array(text.utf8)
            let elsewhere = bytes.withUnsafeBytes { ShortScalar(text: $0) }
            #expect(ShortScalar(inPlace: text) == elsewhere, "\(count) bytes")
            #expect((elsewhere != nil) == (count <= ShortScalar.longestText))
        }
        #expect(ShortScalar(inPlace: "Käse") == nil)
    }

    @Test(
        "A UID takes one, two or four bytes, the fewest that hold it",
        arguments: [(0, 1), (0xFF, 1), (0x100, 2), (0xFFFF, 2), (0x1_0000, 4), (0xFFFF_FFFF, 4)])
    func widthOfUID(_ uid: Int, _ width: Int) throws {
        let scalar = ShortScalar(uid: UInt32(uid))
        #expect(scalar.length == 1 + width)
        let value = PropertyListValue.uid(UInt32(uid))
        let read = try PropertyListValue(binary: value.binaryData())
        #expect(read == value)
    }

    @Test(
        "An integer takes one, two, four or eight bytes, the fewest that hold it; a negative one takes eight",
        arguments: [
            (0, 1), (0xFF, 1), (0x100, 2), (0xFFFF, 2), (0x1_0000, 4), (0xFFFF_FFFF, 4), (0x1_0000_0000, 8),
            (Int.max, 8), (-1, 8), (Int.min, 8),
        ])
    func widthOfInteger(_ integer: Int, _ width: Int) throws {
        let scalar = ShortScalar(integer: Int64(integer))
        #expect(scalar.length == 1 + width)
        let value = PropertyListValue.integer(Int64(integer))
        let read = try PropertyListValue(binary: value.binaryData())
        #expect(read == value)
    }

    @Test("Counts and widths of references and offsets change at their limits", arguments: [14, 15, 255, 256, 65_535])
    func widths(_ count: Int) throws {
        let values: [PropertyListValue] = [
            .string(String(repeating: "x", count: count)), .data(Data(count: count)),
            .array((0..<min(count, 300)).map { .integer(Int64(1000 + $0)) }),
            .array(Array(repeating: .boolean(true), count: count)),
        ]
        for value in values {
            let read = try PropertyListValue(binary: value.binaryData())
            #expect(read == value)
        }
    }
}
