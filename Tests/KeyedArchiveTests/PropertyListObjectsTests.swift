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
            "a": [["k": 1, "l": "é"], ["k": 2, "l": "text"]], "b": Data([1]),
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
