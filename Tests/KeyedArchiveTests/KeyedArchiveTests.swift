import Foundation
import Testing

@testable import KeyedArchive

@Suite("Keyed archives")
struct KeyedArchiveTests {
    static let meal = Meal(
        name: "Mittag 🥗", courses: [Course(title: "Suppe"), Course(title: "Käse")], grams: 412.5, isVegetarian: true)

    @Test("A class with nested classes survives a round trip")
    func classes() throws {
        let meal = try #require(try KeyedUnarchiver.unarchivedObject(ofClass: Meal.self, from: archived(Self.meal)))
        #expect(meal.name == "Mittag 🥗")
        #expect(meal.courses.map(\.title) == ["Suppe", "Käse"])
        #expect(meal.grams == 412.5)
        #expect(meal.isVegetarian)
    }

    @Test(
        "Plain values survive a round trip",
        arguments: [
            ["a", "b"] as [any Sendable], [1, true, 1.5, "1"], [Int.min, UInt64.max],
            [Data([1, 2]), Date(timeIntervalSince1970: 5)],
            [UUID(), NSNull(), URL(filePath: "/tmp/a b") as any Sendable], [[1, 2], ["k": "v"]], [],
        ])
    func values(_ values: [any Sendable]) throws {
        let read = try roundTrip(values) as? NSArray
        #expect(read == (values as [Any] as NSArray))
    }

    @Test("1, true and 1.0 stay distinct")
    func numbers() throws {
        let archive = try PropertyListValue(binary: archived([1, true, 1.0] as [Any]))
        guard case .array(let objects) = archive["$objects"] else {
            Issue.record("expected a list of objects, came \(archive)")
            return
        }
        #expect(objects.contains(.integer(1)))
        #expect(objects.contains(.boolean(true)))
        #expect(objects.contains(.real(1)))
    }

    @Test("Mutable containers stay mutable")
    func mutable() throws {
        let array = try roundTrip(NSMutableArray(array: [1]))
        #expect(array is NSMutableArray)
        let dictionary = try roundTrip(NSMutableDictionary(dictionary: ["a": 1]))
        #expect(dictionary is NSMutableDictionary)
        let string = try roundTrip(NSMutableString(string: "a"))
        #expect(string is NSMutableString)
        let data = try roundTrip(NSMutableData(data: Data([1])))
        #expect(data is NSMutableData)
        let fixed = try roundTrip(NSArray(array: [1]))
        #expect(!(fixed is NSMutableArray))
    }

    @Test("Ordered sets and index sets survive a round trip and stay mutable")
    func otherSets() throws {
        let ordered = NSMutableOrderedSet(array: ["b", "a", "c"])
        let read = try KeyedUnarchiver.unarchivedObject(
            ofClasses: [NSOrderedSet.self, NSString.self], from: archived(ordered))
        #expect((read as? NSMutableOrderedSet)?.array as? [String] == ["b", "a", "c"])
        for ranges in [[], [3..<9], [0..<1, 200..<300, 70_000..<(.max)]] as [[Range<Int>]] {
            let set = NSMutableIndexSet()
            for range in ranges { set.add(in: NSRange(range)) }
            let read = try KeyedUnarchiver.unarchivedObject(ofClass: NSIndexSet.self, from: archived(set))
            #expect(read is NSMutableIndexSet)
            #expect(read?.isEqual(to: set as IndexSet) == true, "\(ranges)")
        }
    }

    @Test("Old archives with a key for each element are read")
    func numberedKeys() throws {
        let data = try handmade([
            .dictionary([
                "$class": .uid(2), "NS.key.0": .uid(3), "NS.key.1": .uid(4), "NS.object.0": .uid(4),
                "NS.object.1": .uid(5),
            ]), classObject("NSDictionary"), .string("a"), .string("b"),
            .dictionary(["$class": .uid(6), "NS.object.0": .uid(3)]), classObject("NSArray"),
        ])
        let object = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data)
        #expect((object as? NSDictionary)?.isEqual(to: ["a": "b", "b": ["a"]]) == true)
    }

    @Test(
        "Inconsistent index sets are refused",
        arguments: [
            ["NSRangeCount": PropertyListValue.integer(-1)], ["NSRangeCount": .integer(1)], [:],
            ["NSRangeCount": .integer(1), "NSLocation": .integer(-1), "NSLength": .integer(1)],
            ["NSRangeCount": .integer(1), "NSLocation": .integer(.max), "NSLength": .integer(.max)],
            ["NSRangeCount": .integer(1 << 60), "NSRangeData": .uid(3)],
            ["NSRangeCount": .integer(2), "NSRangeData": .uid(3)],
        ])
    func lyingIndexSets(_ fields: [String: PropertyListValue]) throws {
        let object = fields.merging(["$class": .uid(2)]) { $1 }
        let data = try handmade([.dictionary(object), classObject("NSIndexSet"), .data(Data([0xFF, 0xFF, 1, 1]))])
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClass: NSIndexSet.self, from: data) } == .corruptObject)
    }

    @Test("An object that is encoded twice is written once, two equal ones twice")
    func identity() throws {
        let shared = Course(title: "x")
        let classes: [AnyClass] = [NSArray.self, Course.self]
        func courses(_ list: [Course]) throws -> [Course] {
            try #require(try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: archived(list)) as? [Course])
        }
        let one = try courses([shared, shared])
        #expect(one[0] === one[1])
        let two = try courses([Course(title: "x"), Course(title: "x")])
        #expect(two[0] !== two[1])
    }

    @Test("The archive has Apple's structure and a stable class name")
    func shape() throws {
        let archive = try PropertyListValue(binary: archived(Self.meal))
        #expect(archive["$version"] == .integer(100_000))
        #expect(archive["$archiver"] == .string("NSKeyedArchiver"))
        #expect(archive["$top"]?["root"] == .uid(1))
        guard case .array(let objects) = archive["$objects"] else {
            Issue.record("expected a list of objects, came \(archive)")
            return
        }
        #expect(objects[0] == .string("$null"))
        let names = objects.compactMap { $0["$classname"] }
        #expect(names.contains(.string("Meal")))
    }

    @Test("The same object has the same bytes")
    func deterministic() throws {
        let dictionary = Dictionary(uniqueKeysWithValues: (0..<50).map { ("key\($0)", $0) })
        let written = try archived(dictionary)
        let again = try archived(dictionary)
        #expect(written == again)
        let meal = try archived(Self.meal)
        let mealAgain = try archived(Self.meal)
        #expect(meal == mealAgain)
    }

    @Test("Foundation reads the archive")
    func foundationReads() throws {
        let data = try archived(["name": "Grüße", "list": [1, 2, 3], "data": Data([9])] as [String: Any])
        let object = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSData.self], from: data)
        let dictionary = try #require(object as? [String: Any])
        #expect(dictionary["name"] as? String == "Grüße")
        #expect(dictionary["list"] as? [Int] == [1, 2, 3])
        #expect(dictionary["data"] as? Data == Data([9]))
    }

    @Test("Foundation's archive is read")
    func readsFoundation() throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: ["name": "Grüße", "list": [1, 2, 3]] as NSDictionary, requiringSecureCoding: true)
        let object = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data)
        #expect((object as? [String: Any])?["list"] as? [Int] == [1, 2, 3])
    }

    @Test("A class can be archived and read under a chosen name")
    func mappedNames() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("Gericht", for: Course.self)
        archiver.encode(Course(title: "Suppe"), forKey: "root")
        archiver.finishEncoding()
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.setClass(Course.self, forClassName: "Gericht")
        #expect(unarchiver.decodeObject(of: Course.self, forKey: "root")?.title == "Suppe")
        #expect(unarchiver.error == nil)
        let unaware = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unaware.decodeObject(of: Course.self, forKey: "root") == nil)
        #expect((unaware.error as? ArchiveError)?.code == .classNotAllowed)
    }

    @Test("Keys that start with a dollar sign cannot be mistaken for the archive's own")
    func dollarKeys() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(5, forKey: "$class")
        archiver.finishEncoding()
        let written = try PropertyListValue(binary: archiver.encodedData)["$top"]?["$$class"]
        #expect(written == .integer(5))
        let number = try KeyedUnarchiver(forReadingFrom: archiver.encodedData).decodeInteger(forKey: "$class")
        #expect(number == 5)
    }

    @Test("A missing key reads as nil, a value of another type is an error")
    func missing() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archived("text"))
        #expect(unarchiver.decodeInteger(forKey: "absent") == 0)
        #expect(unarchiver.decodeObject(of: NSString.self, forKey: "absent") == nil)
        #expect(unarchiver.error == nil)
        #expect(unarchiver.decodeInteger(forKey: "root") == 0)
        #expect((unarchiver.error as? ArchiveError)?.code == .typeMismatch)
    }

    // MARK: - Refusals

    @Test("Disallowed classes are refused", arguments: [Meal.self, Course.self, NSArray.self] as [AnyClass])
    func notAllowed(_ allowed: AnyClass) throws {
        let data = try archived(["text"] as [Any])
        if allowed != NSArray.self {
            #expect(code { try KeyedUnarchiver.unarchivedObject(ofClasses: [allowed], from: data) } == .classNotAllowed)
        } else {
            // The array is allowed, the text in it is not.
            #expect(code { try KeyedUnarchiver.unarchivedObject(ofClasses: [allowed], from: data) } == .classNotAllowed)
        }
    }

    @Test("A class is chosen by its name alone, not by its claimed ancestors")
    func claimedClasses() throws {
        let evil = PropertyListValue.dictionary([
            "$classname": .string("Evil"), "$classes": .array([.string("Course"), .string("NSObject")]),
            "$classhints": .array([.string("Course")]),
        ])
        let data = try handmade([.dictionary(["$class": .uid(2), "title": .uid(3)]), evil, .string("x")])
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClass: Course.self, from: data) } == .classNotAllowed)
    }

    @Test("Foundation's own readers are never called, even if their class is allowed")
    func foundationsReaders() throws {
        // Foundation would allocate memory for 2^60 indexes.
        let path = try handmade([
            .dictionary(["$class": .uid(2), "NSIndexPathLength": .integer(1 << 60), "NSIndexPathData": .uid(3)]),
            classObject("NSIndexPath"), .data(Data([1])),
        ])
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClass: NSIndexPath.self, from: path) } == .unknownClass)
    }

    @Test("Inconsistent archives are refused with the cause")
    func liars() throws {
        let array = classObject("NSArray")
        let dictionary = classObject("NSDictionary")
        let cases: [(String, [PropertyListValue], ArchiveError.Code)] = [
            (
                "an array in itself", [.dictionary(["$class": .uid(2), "NS.objects": .array([.uid(1)])]), array], .cycle
            ),
            ("an object without a class", [.dictionary(["title": .uid(0)])], .corruptObject),
            ("a class that is text", [.dictionary(["$class": .uid(2)]), .string("NSArray")], .corruptObject),
            ("a UID beyond the objects", [.dictionary(["$class": .uid(99)])], .corruptObject),
            ("an array without elements", [.dictionary(["$class": .uid(2)]), array], .missingValue),
            (
                "elements that are not references",
                [.dictionary(["$class": .uid(2), "NS.objects": .array([.integer(1)])]), array], .typeMismatch
            ),
            (
                "more keys than values",
                [
                    .dictionary(["$class": .uid(2), "NS.keys": .array([.uid(3)]), "NS.objects": .array([])]),
                    dictionary,
                    .string("k"),
                ], .corruptObject
            ),
            (
                "a duplicate key",
                [
                    .dictionary([
                        "$class": .uid(2), "NS.keys": .array([.uid(3), .uid(3)]),
                        "NS.objects": .array([.uid(3), .uid(3)]),
                    ]), dictionary, .string("k"),
                ], .duplicateKey
            ),
            (
                "a date that is text",
                [.dictionary(["$class": .uid(2), "NS.time": .string("now")]), classObject("NSDate")], .missingValue
            ),
            (
                "a date that is not a number",
                [.dictionary(["$class": .uid(2), "NS.time": .real(.nan)]), classObject("NSDate")], .corruptObject
            ),
            (
                "a short UUID",
                [.dictionary(["$class": .uid(2), "NS.uuidbytes": .data(Data([1]))]), classObject("NSUUID")],
                .corruptObject
            ),
        ]
        for (what, objects, expected) in cases {
            let data = try handmade(objects)
            #expect(
                code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) } == expected,
                "\(what)")
        }
    }

    @Test(
        "A plain property list is refused as a keyed archive",
        arguments: [
            PropertyListValue.dictionary([:]), .array([]), .dictionary(["$version": .integer(1)]),
        ])
    func plain(_ value: PropertyListValue) throws {
        let data = try value.binaryData()
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data) } == .notKeyedArchive)
    }

    @Test("The text $null is read as text, not as nil")
    func nullText() throws {
        let read = try roundTrip(["a": "$null"]) as? [String: String]
        #expect(read == ["a": "$null"])
    }

    @Test("Objects nested too deep are refused when writing and reading")
    func depth() throws {
        let first = Link()
        var last = first
        for _ in 0..<1000 {
            let next = Link()
            last.next = next
            last = next
        }
        #expect(code { try archived(first) } == .limitExceeded)
        var objects: [PropertyListValue] = []
        for index in 0..<1000 { objects.append(.dictionary(["$class": .uid(1001), "next": .uid(UInt32(index + 2))])) }
        objects.append(classObject("Link"))
        let data = try handmade(objects)
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClass: Link.self, from: data) } == .limitExceeded)
    }

    @Test("A value that cannot be archived is an error with its key path")
    func unsupported() {
        struct Opaque {}
        do {
            _ = try archived(["a": [Opaque()]] as [String: Any])
            Issue.record("it was archived")
        } catch {
            #expect((error as? ArchiveError)?.code == .unsupportedValue)
            #expect((error as? ArchiveError)?.keyPath.hasSuffix("NS.objects[0]") == true)
        }
    }

    @Test("A class's own error is passed on unchanged")
    func ownError() throws {
        final class Fussy: NSObject, NSSecureCoding, ArchiveNaming {
            struct Refusal: Error, Equatable {}
            static let archiveName = "Fussy"
            static let supportsSecureCoding = true
            override init() {}
            func encode(with coder: NSCoder) {}
            init?(coder: NSCoder) {
                coder.failWithError(Refusal())
                return nil
            }
        }
        let data = try archived(Fussy())
        #expect(throws: Fussy.Refusal.self) { try KeyedUnarchiver.unarchivedObject(ofClass: Fussy.self, from: data) }
    }

    @Test("Mutants of an archive are read or refused, never crash")
    func mutants() throws {
        let data = try archived(Self.meal)
        var generator = SeededGenerator(seed: 20_261_121)
        var refused = 0
        for _ in 0..<3000 {
            var mutant = data
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                mutant[Int.random(in: 0..<mutant.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            if (try? KeyedUnarchiver.unarchivedObject(ofClass: Meal.self, from: mutant)) == nil { refused += 1 }
        }
        #expect(refused > 1500)
    }
}

/// A generator of the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
