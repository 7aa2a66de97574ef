import Foundation
import Testing

@testable import KeyedArchive

/// Compares the direct way between objects and bytes with the way through a tree.
@Suite("Property lists of objects, without a tree")
struct PropertyListObjectsTests {
    /// The result of one way: the bytes, or the error in words.
    private enum Answer: Equatable, CustomStringConvertible {
        case bytes(Data)
        case error(String)

        init(_ make: () throws(ArchiveError) -> Data) {
            do throws(ArchiveError) { self = .bytes(try make()) } catch { self = .error("\(error)") }
        }

        var description: String {
            switch self {
            case .bytes(let data): data.map { String($0, radix: 16) }.joined(separator: " ")
            case .error(let text): text
            }
        }
    }

    private func compare(_ object: Any, _ limits: ArchiveLimits = .standard) -> Answer {
        let direct = Answer { () throws(ArchiveError) in try PropertyListObjects.data(of: object, limits: limits) }
        let tree = Answer { () throws(ArchiveError) in
            try PropertyListValue(object: object, limits: limits).binaryData(limits: limits)
        }
        // The object itself is not printed: Foundation traps on keys that are one string of Swift.
        #expect(direct == tree, "\(type(of: object))")
        return direct
    }

    // MARK: - Writing

    @Test("Random objects have the same bytes or the same error as their tree, and come back as from their tree")
    func random() throws {
        var (written, refused) = (0, 0)
        for seed in 0..<3_000 as Range<UInt64> {
            var objects = RandomObjects(seed: seed)
            let object = objects.dictionary()
            switch compare(object) {
            case .bytes(let data):
                written += 1
                let (direct, tree) = (try PropertyListObjects.object(from: data), try PropertyListValue(binary: data))
                #expect(describe(direct) == describe(Self.boxed(tree)), "seed \(seed)")
            case .error: refused += 1
            }
        }
        #expect(written > 1_000 && refused > 100, "\(written) written, \(refused) refused")
    }

    @Test("The writer itself writes what a property list can contain: only what it refuses takes the tree")
    func direct() throws {
        let objects: [Any] = [
            ["a": 1, "b": 0.5, "c": true, "d": "é", "e": Data(count: 2_000), "f": Date(timeIntervalSince1970: 5)],
            [["a": 1 as Any], ["a": 2]] as [[String: Any]], ["x", "y"], [1, 2], [0.5], ["k": "v"], ["k": 1], ["k": 0.5],
            [NSNumber(value: true), NSNumber(value: 7), NSString(string: "s"), NSArray(array: [1, 2])] as [Any],
            NSDictionary(dictionary: ["k": NSDate(timeIntervalSince1970: 1)]), UInt8(5), Float(0.5), UInt64.max,
        ]
        for object in objects {
            let bytes = try ObjectListWriter.data(of: object, limits: .standard)
            #expect(compare(object) == .bytes(bytes), "\(object)")
        }
    }

    @Test("Collections that are shared, equal, empty or nested to the limit are written as from their tree")
    func sharing() {
        let (shared, empty): ([Any], [Any]) = ([1, "a"], [])
        let (array, none) = (NSArray(array: [1, 2]), NSArray())
        let long = Data(repeating: 7, count: 2_000)
        let (mutable, fixed) = (NSMutableData(data: long), NSData(data: long))
        let objects: [[Any]] = [
            [shared, shared, [1, "a"] as [Any]], [empty, empty], [array, array, NSArray(array: [1, 2])], [none, none],
            [long, long], [mutable, mutable], [fixed, fixed], [["a"], ["a"]], [["k": "v"], ["k": "v"]],
            [AnyHashable("a"), "a", NSMutableString(string: "a")], [true, 1, 1.0, NSNumber(value: 1)],
        ]
        for object in objects { _ = compare(object) }
        for depth in 126...130 { _ = compare((0..<depth).reduce("x" as Any) { object, _ in [object] as [Any] }) }
    }

    @Test("Of two refused values the same one is named as by the tree, whichever limit is met as well")
    func errors() {
        var limits = ArchiveLimits()
        (limits.bytes, limits.objects, limits.depth) = (200, 12, 4)
        let list: [Any] = (0..<40).map { $0 }
        let objects: [[String: Any]] = [
            ["a": list, "b": UUID()], ["b": UUID(), "a": Set([1])], ["a": Date(timeIntervalSince1970: .infinity)],
            ["a": [[[["deep"]]]], "b": list], ["a": list], ["a": NSDictionary(dictionary: [1: 2])], ["a": NSNull()],
            ["a": Optional<Int>.none as Any], ["a": [5: 1]],
        ]
        for object in objects {
            for limits in [limits, .standard] { _ = compare(object, limits) }
        }
    }

    /// A dictionary of two keys that are one string of Swift. Foundation's own may trap on such keys, by chance.
    private final class TwoSpellings: NSDictionary {
        private let keys = [NSString(string: "e\u{301}"), NSString(string: "\u{E9}")]

        override var count: Int { keys.count }

        override func object(forKey key: Any) -> Any? { 1 }

        override func keyEnumerator() -> NSEnumerator { NSArray(array: keys).objectEnumerator() }
    }

    @Test("Keys that are one string of Swift in two spellings are left to the tree, which keeps one of them")
    func spellings() {
        let spellings = TwoSpellings()
        let error = #expect(throws: ArchiveError.self) {
            try ObjectListWriter.data(of: spellings, limits: .standard)
        }
        #expect(error?.code == .unsupportedValue)
        _ = compare(spellings)
    }

    // MARK: - Reading

    @Test("Damaged files are refused with the tree's error")
    func damaged() throws {
        var objects = RandomObjects(seed: 1)
        let data = try PropertyListObjects.data(of: [
            "a": [["k": 1, "l": "é"], ["k": 2, "l": "text"], ["k": 3, "l": 4], ["k": "e", "l": "é"]], "b": Data([1]),
        ])
        var refused = 0
        for _ in 0..<20_000 {
            var copy = data
            for _ in 0..<objects.number(below: 3) + 1 {
                copy[objects.number(below: copy.count)] = UInt8(objects.number(below: 256))
            }
            let direct = Self.reading { () throws(ArchiveError) in try PropertyListObjects.object(from: copy) }
            let tree = Self.reading { () throws(ArchiveError) in Self.boxed(try PropertyListValue(binary: copy)) }
            #expect(direct == tree)
            if direct.hasPrefix("error") { refused += 1 }
        }
        #expect(refused > 5_000, "\(refused)")
    }

    @Test("Dictionaries with the same keys are read as each for itself, in lists and within each other")
    func sameKeys() throws {
        let rows: [[String: Any]] = (0..<5).map { ["name": "row \($0)", "number": $0, "inner": ["number": $0]] }
        let objects: [Any] = [
            rows, ["a": ["a": ["a": ["a": 1]]]], [["a": 1], ["a": 2], ["b": 3], ["a": 4], ["a": 5]],
            [[:], [:], [:]] as [[String: Any]], [["a": rows], ["a": rows], ["a": 1]] as [[String: Any]],
            (0..<40).map { _ in Dictionary(uniqueKeysWithValues: (0..<40).map { ("key \($0)", $0) }) },
        ]
        for object in objects {
            let data = try PropertyListObjects.data(of: object)
            let foundation = try PropertyListSerialization.propertyList(from: data, format: nil)
            let read = try PropertyListObjects.object(from: data)
            #expect(
                NSArray(object: read).isEqual(NSArray(object: foundation)), "\(read) instead of \(foundation)")
        }
    }

    @Test("A wrong value is named with its row and its key, also if the rows have the same keys", arguments: 0..<4)
    func wrongRow(_ row: Int) throws {
        let rows = (0..<4).map { ["at": Date(timeIntervalSince1970: Double($0 + 1)), "n": "\($0)"] as [String: Any] }
        var data = try PropertyListObjects.data(of: rows)
        // The date of the row becomes one that is not finite.
        let bits = (Double(row + 1) - Date.timeIntervalBetween1970AndReferenceDate).bitPattern
        let date = Data([0x33]) + withUnsafeBytes(of: bits.bigEndian) { Data($0) }
        let place = try #require(data.range(of: date))
        data.replaceSubrange(place, with: Data([0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]))
        let error = #expect(throws: ArchiveError.self) { try PropertyListObjects.object(from: data) }
        #expect("\(error as Any)".contains("[\(row)].at"), "\(error as Any)")
    }

    @Test("A key that is there twice is refused, also in a dictionary within one with the same keys")
    func twiceWithin() throws {
        // [k: [k: 1, k: 1], k: 1], by its objects: the outer and the inner dictionary, the key, the number.
        let objects: [[UInt8]] = [[0xD2, 2, 2, 1, 3], [0xD2, 2, 2, 3, 3], [0x51, 0x6B], [0x10, 1]]
        var data = Data("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(data.count))
            data += object
        }
        let table = UInt8(data.count)
        data += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
        data += [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, table]
        let error = #expect(throws: ArchiveError.self) { try PropertyListObjects.object(from: data) }
        #expect(error?.code == .duplicateKey, "\(error as Any)")
    }

    @Test("A number is an NSNumber of its own kind, and casts to every type that can hold it")
    func numbers() throws {
        let sent: [String: Any] = [
            "yes": true, "one": 1, "half": 0.5, "large": 1_000, "negative": -1, "most": UInt64.max,
        ]
        let received = try #require(
            try PropertyListObjects.object(from: PropertyListObjects.data(of: sent)) as? [String: Any])
        #expect(received["one"] as? Double == 1)
        #expect(received["one"] as? Int == 1)
        #expect(describe(received) == describe(Self.boxed(try PropertyListValue(object: sent))))
        let (yes, one) = (try #require(received["yes"]), try #require(received["one"]))
        #expect(describe(yes) != describe(one))
    }

    private static func reading(_ read: () throws(ArchiveError) -> Any) -> String {
        do throws(ArchiveError) { return describe(try read()) } catch { return "error \(error)" }
    }

    /// Converts a tree to objects with boxed numbers, as a simple reference.
    private static func boxed(_ value: PropertyListValue) -> Any {
        switch value {
        case .null: NSNull()
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .array(let elements), .set(let elements): elements.map(boxed)
        case .dictionary(let entries): entries.mapValues(boxed)
        case .date, .data, .string, .uid: value.object
        }
    }
}

/// Describes an object with its exact type, and a number with its kind: different objects have different descriptions.
private func describe(_ object: Any) -> String {
    switch object {
    case let entries as [String: Any]:
        "["
            + entries.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \(describe($0.value))" }.joined(
                separator: ", ") + "]"
    case let elements as [Any]: "[" + elements.map(describe).joined(separator: ", ") + "]"
    case let number as NSNumber where type(of: object) is AnyClass:
        "\(type(of: number)) \(String(cString: number.objCType)) \(number)"
    case let data as Data: "Data \([UInt8](data))"
    case let date as Date: "Date \(date.timeIntervalSinceReferenceDate.bitPattern)"
    default: "\(type(of: object)) \(String(reflecting: object))"
    }
}
