import Foundation
import Testing

@testable import KeyedArchive

/// Tests with hand-made files that meet each bound of the format exactly, and exceed it by one.
@Suite("Bounds of files")
struct FileBoundTests {
    /// Returns a file whose top object ends where the offset table begins; object 0 is the text “a”.
    private func file(ending object: String) -> Data {
        var data = PropertyListTests.file(objects: ["51 61", object])
        data[data.count - 9] = 1
        return data
    }

    // MARK: - Objects

    @Test(
        "An object may end where the offset table begins, but no byte later",
        arguments: [
            "10 05", "11 0100", "12 00010000", "13 ffffffffffffffff", "14 0000000000000000 ffffffffffffffff",
            "22 3fc00000", "23 3ff8000000000000", "33 41b0000000000000", "41 07", "42 0102", "4f 10 01 07",
            "4f 11 0001 07", "4f 12 00000001 07", "4f 13 0000000000000001 07", "51 62", "5f 10 01 62", "61 00e9",
            "62 d83d de00", "6f 10 01 00e9", "80 01", "81 0001", "82 000001", "83 00000001", "87 0000000000000001",
            "a1 00", "af 10 01 00", "c1 00", "cf 10 01 00", "d1 00 00", "df 10 01 00 00",
        ])
    func ends(_ object: String) {
        let complete = code { try PropertyListValue(binary: file(ending: object)) }
        #expect(complete == nil)
        let cut = code { try PropertyListValue(binary: file(ending: String(object.dropLast(2)))) }
        #expect(cut == .corruptObject)
    }

    @Test(
        "A count that is no integer of one to eight bytes, or does not fit into the file, is refused",
        arguments: [
            "4f", "4f 10", "4f 11 00", "4f 12 000000", "4f 13 00000000000000", "4f 00 01 07", "4f 20 01 07",
            "4f 80 01 07", "4f 14 00000000000000000000000000000001 07", "4f 13 ffffffffffffffff",
            "5f 13 8000000000000000", "6f 13 8000000000000000", "6f 13 7fffffffffffffff", "af 13 8000000000000000",
            "df 13 8000000000000000", "df 13 7fffffffffffffff",
        ])
    func counts(_ object: String) {
        let came = code { try PropertyListValue(binary: file(ending: object)) }
        #expect(came == .corruptObject)
    }

    @Test(
        "Markers next to the known ones are refused",
        arguments: [
            "01", "07", "0a", "0f", "15", "1f", "20", "21", "24", "30", "32", "34", "70", "88", "8f", "90", "b0", "e0",
            "f0",
        ])
    func markers(_ marker: String) {
        let came = code { try PropertyListValue(binary: file(ending: marker + String(repeating: "00", count: 40))) }
        #expect(came == .corruptObject)
    }

    static let numberCases: [(String, PropertyListValue)] = [
        ("10 ff", .integer(255)), ("11 ffff", .integer(65_535)), ("12 ffffffff", .integer(4_294_967_295)),
        ("13 7fffffffffffffff", .integer(.max)), ("13 8000000000000000", .integer(.min)),
        ("14 0000000000000000 7fffffffffffffff", .integer(.max)),
        ("14 0000000000000000 8000000000000000", .unsigned(1 << 63)),
        ("14 ffffffffffffffff 8000000000000000", .integer(.min)), ("83 ffffffff", .uid(.max)),
        ("84 00ffffffff", .uid(.max)), ("87 00000000ffffffff", .uid(.max)),
        ("33 7fefffffffffffff", .date(.greatestFiniteMagnitude)),
    ]

    @Test("The largest and smallest numbers of each width are read", arguments: numberCases)
    func numbers(_ object: String, _ expected: PropertyListValue) throws {
        let value = try PropertyListValue(binary: file(ending: object))
        #expect(value == expected)
    }

    @Test(
        "Numbers beyond them are refused",
        arguments: [
            "14 0000000000000001 0000000000000000", "14 0000000000000001 8000000000000000",
            "14 ffffffffffffffff 7fffffffffffffff", "14 fffffffffffffffe ffffffffffffffff", "84 0100000000",
            "87 0000000100000000", "33 7ff0000000000000", "33 fff0000000000000", "33 7ff8000000000000",
        ])
    func numbersBeyond(_ object: String) {
        let came = code { try PropertyListValue(binary: file(ending: object)) }
        #expect(came == .corruptObject)
    }

    static let textCases: [(String, [UInt32])] = [
        ("61 007f", [0x7F]), ("61 0080", [0x80]), ("61 07ff", [0x7FF]), ("61 0800", [0x800]), ("61 d7ff", [0xD7FF]),
        ("61 e000", [0xE000]), ("61 ffff", [0xFFFF]), ("62 d800 dc00", [0x1_0000]), ("62 dbff dfff", [0x10_FFFF]),
        ("64 0041 d83d de00 0042", [0x41, 0x1F600, 0x42]), ("53 c2a9 61", [0xA9, 0x61]),
    ]

    @Test("The first and last characters of each length are read", arguments: textCases)
    func texts(_ object: String, _ expected: [UInt32]) throws {
        let value = try PropertyListValue(binary: file(ending: object))
        guard case .string(let text) = value else {
            Issue.record("expected a text, came \(value)")
            return
        }
        #expect(text.unicodeScalars.map(\.value) == expected)
    }

    @Test(
        "Half a surrogate pair is refused, wherever it stands",
        arguments: [
            "61 d800", "61 dbff", "61 dc00", "61 dfff", "62 de00 d83d", "62 d83d 0041", "62 d83d d83d", "62 dbff e000",
            "62 d800 dbff", "62 0041 d83d", "63 d83d de00 de00",
        ])
    func halves(_ object: String) {
        let came = code { try PropertyListValue(binary: file(ending: object)) }
        #expect(came == .corruptObject)
    }

    // MARK: - Trailer and offset table

    /// Returns a file of true, at byte 8, and false, at byte 9, whose table starts at byte 10.
    private func file(
        offsets: [UInt8] = [8, 9], count: UInt8 = 2, top: UInt8 = 0, table: UInt8 = 10, size: UInt8 = 1
    ) -> Data {
        var bytes = Data("bplist00".utf8)
        bytes += [0x09, 0x08]
        bytes += offsets
        bytes += [0, 0, 0, 0, 0, 0, size, 1]
        for number in [count, top, table] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        return bytes
    }

    @Test("Both objects of a file are read, each as the top one")
    func top() throws {
        let first = try PropertyListValue(binary: file())
        #expect(first == .boolean(true))
        let last = try PropertyListValue(binary: file(top: 1))
        #expect(last == .boolean(false))
        let beyond = code { try PropertyListValue(binary: file(top: 2)) }
        #expect(beyond == .corruptTrailer)
    }

    @Test("The offset table fills the space before the trailer exactly")
    func table() {
        let files = [
            file(table: 9), file(table: 11), file(offsets: [8]), file(offsets: [8, 9, 9]), file(count: 1),
            file(count: 3), file(count: 0), file(size: 2), file(offsets: [8, 9], count: 4, table: 8),
        ]
        let came = files.map { data in code { try PropertyListValue(binary: data) } }
        let expected: [ArchiveError.Code?] = Array(repeating: .corruptTrailer, count: files.count)
        #expect(came == expected)
    }

    @Test("A file without room for an object is refused as such")
    func noObject() {
        var bytes = Data("bplist00".utf8)
        bytes += [8]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1]
        for number: UInt8 in [1, 0, 8] { bytes += [0, 0, 0, 0, 0, 0, 0, number] }
        let came = code { try PropertyListValue(binary: bytes) }
        #expect(came == .corruptTrailer)
    }

    @Test("An object may start at the last byte before the offset table, but not in it")
    func offsets() throws {
        let last = try PropertyListValue(binary: file(offsets: [8, 9], top: 1))
        #expect(last == .boolean(false))
        // The first byte of the table would be read as true.
        let table = code { try PropertyListValue(binary: file(offsets: [9, 10], top: 1)) }
        #expect(table == .corruptObject)
        let header = code { try PropertyListValue(binary: file(offsets: [9, 7], top: 1)) }
        #expect(header == .corruptObject)
    }

    @Test("A reference to the object after the last one is refused, even if an offset seems to follow the table")
    func references() throws {
        var data = PropertyListTests.file(objects: ["a1 01", "51 61"])
        // The unused bytes of the trailer, which readers ignore.
        data[data.count - 31] = 10
        let last = try PropertyListValue(binary: data)
        #expect(last == .array([.string("a")]))
        data[9] = 2
        let beyond = code { try PropertyListValue(binary: data) }
        #expect(beyond == .corruptObject)
    }

    // MARK: - Limits of callers

    private func limits(_ lower: (inout ArchiveLimits) -> Void) -> ArchiveLimits {
        var lowered = ArchiveLimits.standard
        lower(&lowered)
        return lowered
    }

    @Test("A file of exactly as many bytes and objects as the limits is read, one more is refused")
    func size() throws {
        let data = try handmade([.string("a")])
        let exact = limits { $0.bytes = data.count }
        let less = limits { $0.bytes = data.count - 1 }
        let tree = code { try PropertyListValue(binary: data, limits: exact) }
        #expect(tree == nil)
        let longTree = code { try PropertyListValue(binary: data, limits: less) }
        #expect(longTree == .limitExceeded)
        let objects = code { try KeyedUnarchiver(forReadingFrom: data, limits: exact) }
        #expect(objects == nil)
        let longObjects = code { try KeyedUnarchiver(forReadingFrom: data, limits: less) }
        #expect(longObjects == .limitExceeded)
        let two = code { try PropertyListValue(binary: file(), limits: limits { $0.objects = 2 }) }
        #expect(two == nil)
        let one = code { try PropertyListValue(binary: file(), limits: limits { $0.objects = 1 }) }
        #expect(one == .limitExceeded)
    }

    @Test("As many objects as the limit are written, one more is refused")
    func writtenObjects() {
        let value = PropertyListValue.array([.integer(1000), .integer(1001), .integer(1002)])
        let four = code { try value.binaryData(limits: limits { $0.objects = 4 }) }
        #expect(four == nil)
        let three = code { try value.binaryData(limits: limits { $0.objects = 3 }) }
        #expect(three == .limitExceeded)
    }

    /// Returns a file of nested arrays around an object.
    private func chain(_ levels: Int, _ leaf: String) -> Data {
        PropertyListTests.file(objects: (1...levels).map { String(format: "a1 %02x", $0) } + [leaf])
    }

    @Test(
        "Nesting of exactly the limit is read, one level more is refused",
        arguments: [("09", 3, 4), ("a0", 3, 3), ("51 61", 3, 3), ("41 07", 3, 3), ("09", 128, 129), ("a0", 128, 128)])
    func depth(_ leaf: String, _ depth: Int, _ levels: Int) {
        let lowered = limits { $0.depth = depth }
        let exact = code { try PropertyListValue(binary: chain(levels, leaf), limits: lowered) }
        #expect(exact == nil)
        let deeper = code { try PropertyListValue(binary: chain(levels + 1, leaf), limits: lowered) }
        #expect(deeper == .limitExceeded)
    }

    @Test("Nesting of exactly the limit is written and converted, one level more is refused", arguments: [3, 128])
    func writtenDepth(_ depth: Int) {
        func nested(_ levels: Int) -> PropertyListValue {
            var value = PropertyListValue.array([])
            for _ in 0..<levels { value = .array([value]) }
            return value
        }
        let lowered = limits { $0.depth = depth }
        let written = code { try nested(depth).binaryData(limits: lowered) }
        #expect(written == nil)
        let writtenDeeper = code { try nested(depth + 1).binaryData(limits: lowered) }
        #expect(writtenDeeper == .limitExceeded)
        let converted = code { try PropertyListValue(object: nested(depth).object, limits: lowered) }
        #expect(converted == nil)
        let convertedDeeper = code { try PropertyListValue(object: nested(depth + 1).object, limits: lowered) }
        #expect(convertedDeeper == .limitExceeded)
    }

    static let costCases: [(PropertyListValue, Int, Int)] = [
        (.array(Array(repeating: .boolean(true), count: 10)), 160, 0),
        (.set(Array(repeating: .boolean(true), count: 10)), 160, 0), (.array([.array([.array([])])]), 32, 0),
        (.dictionary(["a": .boolean(true), "b": .boolean(true), "c": .integer(1)]), 3 * 32 + 3, 3),
        (.string("0123456789"), 10, 10), (.string("\u{E4}\u{F6}\u{FC}\u{DF}\u{E9}"), 10, 10),
        (.data(Data(count: 10)), 10, 10),
        // A text of several references is copied once.
        (.array([.string("0123456789"), .string("0123456789")]), 2 * 16 + 10, 10),
    ]

    @Test("Reading takes exactly the memory and the copies of its values", arguments: costCases)
    func costs(_ value: PropertyListValue, _ memory: Int, _ copied: Int) throws {
        let data = try value.binaryData()
        let exact = limits {
            $0.memory = memory
            $0.copiedBytes = copied
        }
        let read = code { try PropertyListValue(binary: data, limits: exact) }
        #expect(read == nil)
        let less = limits { $0.memory = memory - 1 }
        let withLess = code { try PropertyListValue(binary: data, limits: less) }
        #expect(withLess == .limitExceeded)
        guard copied > 0 else { return }
        let shorter = limits { $0.copiedBytes = copied - 1 }
        let withShorter = code { try PropertyListValue(binary: data, limits: shorter) }
        #expect(withShorter == .limitExceeded)
    }

    // MARK: - References and keys of an archive

    /// Returns the digits of a text of at most 14 letters.
    private static func text(_ text: String) -> String {
        "5" + String(text.utf8.count, radix: 16) + text.utf8.map { String($0, radix: 16) }.joined()
    }

    /// Returns an archive; `objects` is its list of objects, and `rest` follows it as objects 9, 10, … of the file.
    private func archive(top: String, objects: String, _ rest: [String]) -> Data {
        let name = "5f100f" + "NSKeyedArchiver".utf8.map { String($0, radix: 16) }.joined()
        let keys = ["$version", "$archiver", "$top", "$objects"].map(Self.text)
        return PropertyListTests.file(
            objects: ["d4 01020304 05060708"] + keys + ["12 000186a0", name, top, objects] + rest)
    }

    private func readText(_ data: Data) throws -> String? {
        try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data)?.description
    }

    @Test(
        "A UID of any width is read up to the offset table, but not into it",
        arguments: ["80 01", "81 0001", "82 000001", "83 00000001", "87 0000000000000001"])
    func identifiers(_ uid: String) throws {
        func archive(_ uid: String) -> Data {
            self.archive(top: "d1 0a0b", objects: "a2 0909", [Self.text("a"), Self.text("root"), uid])
        }
        let text = try readText(archive(uid))
        #expect(text == "a")
        let cut = code { try readText(archive(String(uid.dropLast(2)))) }
        #expect(cut == .corruptObject)
        let beyond = code { try readText(archive(String(uid.dropLast()) + "2")) }
        #expect(beyond == .corruptObject)
    }

    private func archive(key: String) -> Data {
        archive(top: "d1 0b0a", objects: "a2 0909", [Self.text("a"), "80 01", key])
    }

    @Test(
        "A key in any form is read up to the offset table, but not into it",
        arguments: ["54 726f6f74", "5f1004 726f6f74", "5f110004 726f6f74", "64 0072006f006f0074"])
    func keys(_ key: String) throws {
        let text = try readText(archive(key: key))
        #expect(text == "a")
        let cut = code { try readText(archive(key: String(key.dropLast(2)))) }
        #expect(cut == .corruptObject)
        let different = code { try readText(archive(key: String(key.dropLast(2)) + "73")) }
        #expect(different == .missingValue)
    }

    @Test(
        "The beginning of a key, or a longer one, is another key",
        arguments: [
            "50", "53 726f6f", "55 726f6f7474", "5f1003 726f6f", "5f1005 726f6f7474", "63 0072006f006f",
            "65 0072006f006f00740074",
        ])
    func otherKeys(_ key: String) {
        let came = code { try readText(archive(key: key)) }
        #expect(came == .missingValue)
    }

    static let integerCases: [(String, Int)] = [
        ("10 05", 5), ("11 0100", 256), ("12 00010000", 65_536), ("13 ffffffffffffffff", -1),
        ("14 00000000000000000000000000000005", 5),
    ]

    @Test("A number of an array is read up to the offset table, but not into it", arguments: integerCases)
    func numbersOfArrays(_ number: String, _ expected: Int) throws {
        func read(_ number: String) throws -> [Int]? {
            let rest = [
                Self.text("root"), "80 01", Self.text("$null"), "d2 0e0f 1011", "d1 12 13", Self.text("$class"),
                Self.text("NS.objects"), "80 02", "a1 14", Self.text("$classname"), Self.text("NSArray"), "80 03",
                number,
            ]
            let data = archive(top: "d1 09 0a", objects: "a4 0b0c0d15", rest)
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            let numbers = unarchiver.decodeArray(of: Int.self, forKey: "root")
            if let error = unarchiver.error { throw error }
            return numbers
        }
        let numbers = try read(number)
        #expect(numbers == [expected])
        let cut = code { try read(String(number.dropLast(2))) }
        #expect(cut == .corruptObject)
    }

    // MARK: - Keys of objects

    @Test("A duplicate among few or many keys is refused, wherever it stands", arguments: [2, 15, 16, 17, 18, 40])
    func duplicates(_ count: Int) {
        /// The code for a root object with the given keys; object 1 and the following ones are different texts.
        func refusal(_ keys: [Int]) -> ArchiveError.Code? {
            let references = keys.map { String(format: "%02x", $0) }.joined()
            let root = "df 10" + String(format: "%02x", keys.count) + references + references
            let texts = (1...count).map { "52" + String(format: "%04x", 0x4141 + $0) }
            let data = PropertyListTests.file(objects: [root] + texts)
            return code { try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) }
        }
        let keys = Array(1...count)
        #expect(refusal(keys) == .notKeyedArchive)
        #expect(refusal(Array(keys.dropLast()) + [1]) == .duplicateKey)
        #expect(refusal([2] + Array(keys.dropFirst())) == .duplicateKey)
        #expect(refusal(Array(keys.dropLast()) + [max(count - 1, 1)]) == .duplicateKey)
    }
}
