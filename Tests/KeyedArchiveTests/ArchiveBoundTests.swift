import Foundation
import Testing

@testable import KeyedArchive

/// Tests with hand-made archives that meet each bound exactly, and exceed it by one.
@Suite("Bounds of archives")
struct ArchiveBoundTests {
    /// Returns the record of an object whose class has a UID.
    private static func record(
        _ cls: UInt32, _ fields: [String: PropertyListValue] = [:]
    ) -> PropertyListValue {
        .dictionary(fields.merging(["$class": .uid(cls)]) { $1 })
    }

    /// Returns an archive of an array of the following objects, whose class has the UID 3.
    private static func list(_ cls: PropertyListValue, _ objects: [PropertyListValue]) throws -> Data {
        let uids = objects.indices.map { PropertyListValue.uid(UInt32(4 + $0)) }
        return try handmade([record(2, ["NS.objects": .array(uids)]), classObject("NSArray"), cls] + objects)
    }

    private func read(_ data: Data, limits: ArchiveLimits = .standard) throws -> NSObject {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        unarchiver.decodesUnknownClasses = true
        let object = unarchiver.decodeObject(of: CollectionTests.collectionClasses, forKey: "root")
        if let error = unarchiver.error { throw error }
        guard let object = object as? NSObject else { throw ArchiveError(.missingValue, "no root") }
        return object
    }

    private func limits(depth: Int) -> ArchiveLimits {
        var lowered = ArchiveLimits.standard
        lowered.depth = depth
        return lowered
    }

    // MARK: - Costs that objects share

    /// A class description that lists the name of an ancestor several times.
    private static func unknownClass(_ ancestor: String, times: Int) -> PropertyListValue {
        .dictionary([
            "$classname": .string("Theirs"), "$classes": .array(Array(repeating: .string(ancestor), count: times)),
        ])
    }

    @Test("The names of an unknown class are charged for each of its objects")
    func visitedNames() throws {
        let cls = Self.unknownClass("", times: 200)
        let one = code { try read(Self.list(cls, [Self.record(3)])) }
        #expect(one == nil)
        let many = code { try read(Self.list(cls, (0..<30).map { _ in Self.record(3) })) }
        #expect(many == .limitExceeded)
    }

    @Test("The name of an ancestor is charged each time it is listed")
    func copiedNames() throws {
        let name = String(repeating: "n", count: 100)
        let once = try read(Self.list(Self.unknownClass(name, times: 1), [Self.record(3)])) as? NSArray
        #expect((once?.firstObject as? ArchivedObject)?.classNames == [name])
        let often = code { try read(Self.list(Self.unknownClass(name, times: 40), [Self.record(3)])) }
        #expect(often == .limitExceeded)
    }

    @Test(
        "A long key is charged for each object with other keys than the one before; keys of 64 bytes are free",
        arguments: [("k", 64, true), ("k", 65, false), ("\u{E9}", 32, true), ("\u{E9}", 33, false)])
    func longKeys(_ letter: String, _ count: Int, _ isFree: Bool) throws {
        let key = String(repeating: letter, count: count)
        let objects = (0..<40).map { position in
            let others: [String: PropertyListValue] = position % 2 == 0 ? [:] : ["other": .integer(1)]
            return Self.record(3, others.merging([key: .integer(1)]) { $1 })
        }
        let came = code { try read(Self.list(classObject("NSNull"), objects)) }
        let expected: ArchiveError.Code? = isFree ? nil : .limitExceeded
        #expect(came == expected)
    }

    @Test("An object of more than 16 keys is charged for each UID that refers to its bytes", arguments: [15, 16])
    func sharedKeys(_ others: Int) {
        // One dictionary, to which all entries of “$objects” refer; “$class” is one more key.
        let object = Self.record(3, Self.keys(others))
        let few = code { try read(Self.list(classObject("NSNull"), Array(repeating: object, count: 5))) }
        #expect(few == nil)
        let many = code { try read(Self.list(classObject("NSNull"), Array(repeating: object, count: 200))) }
        let expected: ArchiveError.Code? = others < 16 ? nil : .limitExceeded
        #expect(many == expected)
    }

    // MARK: - Memory and copies

    /// A kind of archive of any size, and the costs of one more of its parts.
    struct Cost: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The memory for objects and for a tree; nil for archives that are no plain values.
        let objects: Int
        let tree: Int?
        let copied: Int
        let archive: @Sendable (_ count: Int) throws -> Data
    }

    static let costs = [
        Cost(testDescription: "a reference of an array", objects: 8, tree: 16, copied: 0, archive: references),
        // The places of its class, of itself and of its number of elements, 32 for itself, and the reference to it.
        Cost(testDescription: "an object", objects: 56, tree: 20, copied: 0, archive: nulls),
        Cost(testDescription: "a byte of a text", objects: 1, tree: 1, copied: 1, archive: text),
        Cost(testDescription: "a byte of data", objects: 1, tree: 1, copied: 1, archive: data),
        Cost(testDescription: "a byte of a mutable text", objects: 1, tree: 1, copied: 0, archive: mutableText),
        Cost(testDescription: "a byte of mutable data", objects: 1, tree: 1, copied: 0, archive: mutableData),
        // The text itself, and two forms of it in the URL.
        Cost(testDescription: "a byte of a URL", objects: 3, tree: nil, copied: 1, archive: url),
        // Two bytes, and 16 for the range.
        Cost(testDescription: "a range of an index set", objects: 18, tree: nil, copied: 2, archive: indexes),
        Cost(testDescription: "a key of a large object", objects: 32, tree: 32, copied: 0, archive: largeNull),
        // The same, 32 for the key and its value, and the three letters of the key.
        Cost(testDescription: "a key of an unknown object", objects: 67, tree: nil, copied: 3, archive: unknown),
        Cost(testDescription: "an element of an unknown one", objects: 16, tree: nil, copied: 0, archive: unknownList),
        // As two objects, of which one is a class, and its name.
        Cost(testDescription: "an object of its own class", objects: 142, tree: 94, copied: 6, archive: ownClasses),
        // As an object, 32 for its key and value, and the names of the class and of its ancestor.
        Cost(testDescription: "an unknown object", objects: 102, tree: nil, copied: 14, archive: unknownObjects),
        // As an object, with two references, and the three letters of the key.
        Cost(testDescription: "an entry of a dictionary", objects: 67, tree: 39, copied: 3, archive: dictionary),
    ]

    @Sendable private static func references(_ count: Int) throws -> Data {
        let uids = Array(repeating: PropertyListValue.uid(3), count: count)
        return try handmade([record(2, ["NS.objects": .array(uids)]), classObject("NSArray"), .integer(5)])
    }

    @Sendable private static func nulls(_ count: Int) throws -> Data {
        try list(classObject("NSNull"), (0..<count).map { _ in record(3) })
    }

    @Sendable private static func text(_ count: Int) throws -> Data {
        try handmade([.string(String(repeating: "a", count: count))])
    }

    @Sendable private static func data(_ count: Int) throws -> Data { try handmade([.data(Data(count: count))]) }

    @Sendable private static func mutableText(_ count: Int) throws -> Data {
        let text = PropertyListValue.string(String(repeating: "a", count: count))
        return try handmade([record(2, ["NS.string": text]), classObject("NSMutableString")])
    }

    @Sendable private static func mutableData(_ count: Int) throws -> Data {
        try handmade([record(2, ["NS.data": .data(Data(count: count))]), classObject("NSMutableData")])
    }

    @Sendable private static func url(_ count: Int) throws -> Data {
        let text = "http://example.org/" + String(repeating: "a", count: count)
        return try handmade([
            record(2, ["NS.base": .uid(0), "NS.relative": .uid(3)]), classObject("NSURL"), .string(text),
        ])
    }

    @Sendable private static func indexes(_ count: Int) throws -> Data {
        var bytes = Data()
        for position in 0..<count { bytes.append(contentsOf: [UInt8(2 * position), 1]) }
        return try handmade([
            record(2, ["NSRangeCount": .integer(Int64(count)), "NSRangeData": .uid(3)]), classObject("NSIndexSet"),
            .data(bytes),
        ])
    }

    @Sendable private static func largeNull(_ count: Int) throws -> Data {
        try handmade([record(2, keys(count)), classObject("NSNull")])
    }

    @Sendable private static func unknown(_ count: Int) throws -> Data {
        try handmade([record(2, keys(count)), classObject("Theirs")])
    }

    @Sendable private static func ownClasses(_ count: Int) throws -> Data {
        let uids = (0..<count).map { PropertyListValue.uid(UInt32(3 + 2 * $0)) }
        let objects = (0..<count).flatMap { [record(UInt32(4 + 2 * $0)), classObject("NSNull")] }
        return try handmade([record(2, ["NS.objects": .array(uids)]), classObject("NSArray")] + objects)
    }

    @Sendable private static func unknownObjects(_ count: Int) throws -> Data {
        try list(classObject("Theirs"), (0..<count).map { _ in record(3) })
    }

    @Sendable private static func unknownList(_ count: Int) throws -> Data {
        let uids = Array(repeating: PropertyListValue.uid(0), count: count)
        return try handmade([record(2, ["list": .array(uids)]), classObject("Theirs")])
    }

    @Sendable private static func dictionary(_ count: Int) throws -> Data {
        let uids = (0..<count).map { PropertyListValue.uid(UInt32(4 + $0)) }
        let values = Array(repeating: PropertyListValue.uid(3), count: count)
        let keys = (0..<count).map { PropertyListValue.string("k\(10 + $0)") }
        let fields: [String: PropertyListValue] = ["NS.keys": .array(uids), "NS.objects": .array(values)]
        return try handmade([record(2, fields), classObject("NSDictionary"), .integer(5)] + keys)
    }

    /// Returns keys of three letters and their values.
    private static func keys(_ count: Int) -> [String: PropertyListValue] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("k\(10 + $0)", PropertyListValue.boolean(true)) })
    }

    /// Returns the lowest limit with which an archive is read.
    private func least(
        _ limit: WritableKeyPath<ArchiveLimits, Int>, _ read: (ArchiveLimits) throws -> Any?
    ) -> Int {
        var (low, high) = (0, 1 << 20)
        while low < high {
            let middle = (low + high) / 2
            var limits = ArchiveLimits.standard
            limits[keyPath: limit] = middle
            if code({ try read(limits) }) == nil { high = middle } else { low = middle + 1 }
        }
        return low
    }

    @Test("Each part of an archive is charged as it costs", arguments: costs)
    func charges(_ cost: Cost) throws {
        // With a class for some name, the name of each class is read, whichever other tests set one.
        KeyedUnarchiver.setClass(Link.self, forClassName: "a name in no archive")
        let (small, large) = (try cost.archive(20), try cost.archive(40))
        func difference(
            _ limit: WritableKeyPath<ArchiveLimits, Int>, _ read: (Data, ArchiveLimits) throws -> Any?
        ) -> Int {
            least(limit) { try read(large, $0) } - least(limit) { try read(small, $0) }
        }
        let objects = difference(\.memory) { try self.read($0, limits: $1) }
        #expect(objects == 20 * cost.objects)
        let copied = difference(\.copiedBytes) { try self.read($0, limits: $1) }
        #expect(copied == 20 * cost.copied)
        guard let expected = cost.tree else { return }
        let tree = difference(\.memory) { try PropertyListValue(archive: $0, limits: $1) }
        #expect(tree == 20 * expected)
    }

    // MARK: - Nesting

    @Test("Objects nested exactly to the limit are read and written, one more is refused", arguments: [3, 128])
    func depth(_ depth: Int) throws {
        func read(_ count: Int) -> ArchiveError.Code? {
            let cls = UInt32(count + 1)
            let objects = (1...count).map { Self.record(cls, ["next": .uid($0 == count ? 0 : UInt32($0 + 1))]) }
            return code {
                let data = try handmade(objects + [classObject("Link")])
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits(depth: depth))
                let link = unarchiver.decodeObject(of: Link.self, forKey: "root")
                if let error = unarchiver.error { throw error }
                return link
            }
        }
        let exact = read(depth)
        #expect(exact == nil)
        let deeper = read(depth + 1)
        #expect(deeper == .limitExceeded)

        func write(_ count: Int) -> ArchiveError.Code? {
            var first = Link()
            for _ in 1..<count {
                let link = Link()
                link.next = first
                first = link
            }
            let archiver = KeyedArchiver(requiringSecureCoding: true, limits: limits(depth: depth))
            archiver.encode(first, forKey: "root")
            archiver.finishEncoding()
            return (archiver.error as? ArchiveError)?.code
        }
        let written = write(depth)
        #expect(written == nil)
        let writtenDeeper = write(depth + 1)
        #expect(writtenDeeper == .limitExceeded)
    }

    @Test("Arrays nested exactly to the limit are read as a tree, one more is refused", arguments: [3, 128])
    func depthOfTrees(_ depth: Int) throws {
        // The outermost array has depth 0.
        func read(_ levels: Int) throws -> PropertyListValue {
            let cls = UInt32(levels + 1)
            let objects = (1...levels).map { level in
                Self.record(cls, ["NS.objects": .array(level == levels ? [] : [.uid(UInt32(level + 1))])])
            }
            let data = try handmade(objects + [classObject("NSArray")])
            return try PropertyListValue(archive: data, limits: limits(depth: depth))
        }
        let exact = code { try read(depth + 1) }
        #expect(exact == nil)
        let deeper = code { try read(depth + 2) }
        #expect(deeper == .limitExceeded)
    }

    // MARK: - Keys

    @Test("An object's class is found first, last and between other keys")
    func classKey() throws {
        let many = (0..<10).flatMap { ["!\($0)", "a\($0)"] }
        let tables: [[String]] = [
            [], ["!"], ["a"], ["!", "a"], ["!", "\"", "a"], ["!", "a", "b"], ["!", "\"", "#", "a", "b"], many,
        ]
        for keys in tables {
            let fields = Dictionary(uniqueKeysWithValues: keys.map { ($0, PropertyListValue.integer(1)) })
            let object = try read(handmade([Self.record(2, fields), classObject("NSNull")]))
            #expect(object is NSNull, "\(keys): \(object)")
        }
    }

    @Test("A key is found next to its beginning and to one that differs in the last byte", arguments: 1...70)
    func lengths(_ length: Int) throws {
        let key = String(repeating: "k", count: length)
        let keys = [key, key + "b", String(key.dropLast()) + "c"]
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for (position, key) in keys.enumerated() { archiver.encode(position + 1, forKey: key) }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let values = keys.map { unarchiver.decodeInteger(forKey: $0) }
        #expect(values == [1, 2, 3])
        let backwards = keys.reversed().map { unarchiver.decodeInteger(forKey: $0) }
        #expect(backwards == [3, 2, 1])
        let others = [key + "bb", key + "a", String(key.dropLast()) + "d"]
        let found = others.filter { unarchiver.containsValue(forKey: $0) }
        #expect(found == [])
        #expect(unarchiver.error == nil)
    }

    @Test("Each key is found among few and among many, and no other", arguments: [1, 2, 15, 16, 17, 18, 100])
    func numberOfKeys(_ count: Int) throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for number in 0..<count { archiver.encode(number, forKey: "key \(number)") }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let values = (0..<count).map { unarchiver.decodeInteger(forKey: "key \($0)") }
        #expect(values == Array(0..<count))
        #expect(!unarchiver.containsValue(forKey: "key \(count)"))
        #expect(unarchiver.error == nil)
    }

    // MARK: - Values

    static let refusals: [(String, [String: PropertyListValue], ArchiveError.Code)] = [
        ("NSDate", [:], .missingValue), ("NSDate", ["NS.time": .real(.nan)], .corruptObject),
        ("NSDate", ["NS.time": .real(.infinity)], .corruptObject),
        ("NSDate", ["NS.time": .real(-Double.infinity)], .corruptObject), ("NSUUID", [:], .missingValue),
        ("NSUUID", ["NS.uuidbytes": .data(Data(count: 15))], .corruptObject),
        ("NSUUID", ["NS.uuidbytes": .data(Data(count: 17))], .corruptObject), ("NSCountedSet", [:], .corruptObject),
        ("NSCountedSet", ["NS.count": .integer(-1)], .corruptObject),
        ("NSCountedSet", ["NS.count": .integer(1)], .corruptObject), ("NSIndexSet", [:], .corruptObject),
        ("NSIndexSet", ["NSRangeCount": .integer(-1)], .corruptObject), ("NSValue", [:], .corruptObject),
        ("NSValue", ["NS.special": .integer(0)], .corruptObject),
        ("NSValue", ["NS.special": .integer(5)], .corruptObject), ("NSURL", [:], .corruptObject),
        ("NSDecimalNumber", [:], .corruptObject), ("NSMutableString", [:], .missingValue),
        ("NSMutableData", [:], .missingValue), ("NSArray", [:], .missingValue), ("NSSet", [:], .missingValue),
        ("NSDictionary", [:], .missingValue),
    ]

    @Test("The error of an invalid object names its class", arguments: refusals)
    func kinds(_ name: String, _ fields: [String: PropertyListValue], _ expected: ArchiveError.Code) throws {
        let data = try handmade([Self.record(2, fields), classObject(name)])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        let object = unarchiver.decodeObject(of: CollectionTests.collectionClasses, forKey: "root")
        let error = try #require(unarchiver.error as? ArchiveError, "\(String(describing: object))")
        #expect(error.code == expected)
        #expect(error.kind == name)
    }

    @Test("The latest and the earliest date, and empty sets, are read")
    func extremes() throws {
        for seconds in [Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, 0] {
            let date = try read(handmade([Self.record(2, ["NS.time": .real(seconds)]), classObject("NSDate")]))
            #expect((date as? NSDate)?.timeIntervalSinceReferenceDate == seconds)
        }
        let set = try read(handmade([Self.record(2, ["NS.count": .integer(0)]), classObject("NSCountedSet")]))
        #expect((set as? NSCountedSet)?.count == 0)
        let indexes = try read(handmade([Self.record(2, ["NSRangeCount": .integer(0)]), classObject("NSIndexSet")]))
        #expect((indexes as? NSIndexSet)?.count == 0)
    }

    @Test(
        "A range may start at zero and be empty; negative bounds are refused",
        arguments: [(0, 0), (0, 5), (5, 0), (-1, 0), (0, -1), (-1, -1)])
    func geometricRanges(_ location: Int, _ length: Int) throws {
        let fields: [String: PropertyListValue] = [
            "NS.special": .integer(4), "NS.rangeval.location": .uid(3), "NS.rangeval.length": .uid(4),
        ]
        let data = try handmade([
            Self.record(2, fields), classObject("NSValue"), .integer(Int64(location)), .integer(Int64(length)),
        ])
        if location >= 0, length >= 0 {
            let range = (try read(data) as? NSValue)?.rangeValue
            #expect(range == NSRange(location: location, length: length))
        } else {
            let came = code { try read(data) }
            #expect(came == .corruptObject)
        }
    }

    @Test("An index set's range ends at the largest index at most, and is not empty")
    func indexRanges() {
        let valid: [(Int64, Int64)] = [(0, 1), (0, Int64.max), (Int64.max - 1, 1)]
        let ranges = valid.compactMap { IndexRanges.range($0, $1) }
        let expected = valid.map { NSRange(location: Int($0), length: Int($1)) }
        #expect(ranges == expected)
        let invalid: [(Int64, Int64)] = [
            (-1, 1), (0, 0), (0, -1), (1, Int64.max), (Int64.max - 1, 2), (Int64.max, 1),
        ]
        let refused = invalid.compactMap { IndexRanges.range($0, $1) }
        #expect(refused == [])
    }

    @Test("Packed ranges are complete pairs of numbers of at most nine bytes, as many as announced")
    func packedRanges() {
        func ranges(_ bytes: [UInt8], _ count: Int64) -> [NSRange]? {
            bytes.withUnsafeBytes { IndexRanges.ranges(in: $0, count: count) }
        }
        let nine = [UInt8](repeating: 0x80, count: 8) + [1]
        let ten = [UInt8](repeating: 0x80, count: 9) + [1]
        let long = ranges(nine + [1], 1)
        #expect(long == [NSRange(location: 1 << 56, length: 1)])
        let two = ranges([0, 1, 1, 1], 2)
        #expect(two == [NSRange(location: 0, length: 1), NSRange(location: 1, length: 1)])
        let invalid: [([UInt8], Int64)] = [
            (ten + [1], 1), ([1, 0x81], 1), ([1, 1, 0x81], 1), ([1, 1, 1], 1), ([1, 1], 2), ([1, 1], 0), ([1], 1),
            ([1, 0], 1), ([1, 2, 2, 1], 2),
        ]
        let refused = invalid.compactMap { ranges($0, $1) }
        #expect(refused == [])
    }

    @Test(
        "A decimal number has sixteen bytes, at most eight words and an exponent of one byte",
        arguments: [
            (16, 8, 127, true), (16, 8, -128, true), (16, 0, 0, true), (16, 8, 128, false), (16, 8, -129, false),
            (16, -1, 0, false), (16, 9, 0, false), (15, 7, 0, false), (17, 8, 0, false), (0, 0, 0, false),
        ])
    func decimals(_ bytes: Int, _ length: Int, _ exponent: Int, _ isValid: Bool) {
        let form = [UInt8](repeating: 1, count: bytes).withUnsafeBytes {
            DecimalForm(
                isNegative: false, exponent: Int64(exponent), words: $0, length: Int64(length),
                byteOrder: .littleEndian)
        }
        #expect((form != nil) == isValid, "\(String(describing: form))")
    }
}
