import Foundation
import Testing

@testable import KeyedArchive

/// Tests of writing and reading Foundation's collections.
@Suite("Collections")
struct CollectionTests {
    static let collectionClasses: [AnyClass] =
        plainClasses + [
            NSOrderedSet.self, NSCountedSet.self, NSIndexSet.self, NSDecimalNumber.self, NSValue.self,
        ]

    private func read(_ data: Data) throws -> NSObject? {
        try KeyedUnarchiver.unarchivedObject(ofClasses: Self.collectionClasses, from: data) as? NSObject
    }

    private func objects(_ data: Data) throws -> [PropertyListValue] {
        guard case .array(let objects) = try PropertyListValue(binary: data)["$objects"] else { return [] }
        return objects
    }

    /// Counts the objects of an archive whose class has a name.
    private func count(_ name: String, in data: Data) throws -> Int {
        let objects = try objects(data)
        return objects.count { object in
            guard case .uid(let uid) = object["$class"] else { return false }
            return objects[Int(uid)]["$classname"] == .string(name)
        }
    }

    @Test("Elements of a collection stay mutable and stay shared")
    func elementsAsTheyAre() throws {
        let inner = NSMutableArray(array: [1])
        let outer = NSMutableArray(array: [NSMutableString(string: "s")])
        outer.add(inner)
        outer.add(inner)
        outer.add(NSDictionary(object: inner, forKey: NSString("k")))
        let data = try archived(outer)
        let arrays = try count("NSMutableArray", in: data)
        #expect(arrays == 2)
        let strings = try count("NSMutableString", in: data)
        #expect(strings == 1)
        // Foundation returns copies; the mirror shows the stored objects.
        let read = try #require(try read(data) as? NSArray)
        let stored = StoredObjects.of(read).compactMap { $0 as? NSObject }
        #expect(stored[0] is NSMutableString)
        #expect(stored[1] is NSMutableArray)
        #expect(stored[1] === stored[2])
    }

    @Test("Equal but distinct containers are written separately")
    func equalButNotOne() throws {
        let pair = NSMutableArray(array: [])
        pair.add(NSArray(array: [1, 2]))
        pair.add(NSArray(array: [1, 2]))
        let arrays = try count("NSArray", in: archived(pair))
        #expect(arrays == 2)
    }

    @Test("Thirty nested Foundation arrays that contain the next one twice are written once each")
    func sharedLevels() throws {
        var level = NSMutableArray(array: ["leaf"])
        for _ in 0..<30 {
            let next = NSMutableArray()
            next.add(level)
            next.add(level)
            level = next
        }
        let written = try objects(archived(level)).count
        #expect(written < 40)
    }

    @Test("Thirty nested Swift arrays that contain the next one twice are written once each")
    func sharedSwiftLevels() throws {
        var level: [Any] = ["leaf"]
        for _ in 0..<30 { level = [level, level] }
        let written = try objects(archived(level)).count
        #expect(written < 40)
    }

    @Test("Swift values in Foundation's collections are written as outside of them")
    func boxed() throws {
        let values = NSArray(array: [NSRange(location: 1, length: 2), CGPoint(x: 3, y: 4)])
        let read = try #require(try read(archived(values)) as? NSArray)
        #expect((read[0] as? NSValue)?.rangeValue == NSRange(location: 1, length: 2))
        #expect((read[1] as? NSValue)?.pointValue == CGPoint(x: 3, y: 4))
    }

    @Test("A counted set keeps its counts")
    func counted() throws {
        let set = NSCountedSet(array: ["a", "b", "a", "a"])
        let read = try #require(try read(archived(set)) as? NSCountedSet)
        #expect(read.count == 2)
        #expect(read.count(for: "a") == 3)
        #expect(read.count(for: "b") == 1)
    }

    @Test("The elements of a counted set keep their types, mutable or not")
    func countedAsTheyAre() throws {
        let set = NSCountedSet()
        for position in 0..<100 { set.add(NSMutableString(string: "element \(position)")) }
        let data = try archived(set)
        let strings = try count("NSMutableString", in: data)
        #expect(strings == 100)
        let back = try read(data) as? NSCountedSet
        #expect(back?.count == 100)
    }

    @Test("The sum of the counts in an archive is limited, as Foundation counts one at a time")
    func sumOfCounts() throws {
        func sets(_ counts: Int...) -> NSArray {
            let sets = counts.map { count -> AnyObject in
                let set = NSCountedSet()
                for _ in 0..<count { set.add("a") }
                return set
            }
            return NSArray(objects: sets, count: sets.count)
        }
        let half = CountedElements.maximumSum / 2
        let halves = try read(archived(sets(half, half))) as? NSArray
        #expect(halves?.count == 2)
        #expect(code { try archived(sets(half, half + 1)) } == .limitExceeded)
        let counted = PropertyListValue.dictionary([
            "$class": .uid(5), "NS.count": .integer(1), "NS.object0": .uid(6), "NS.count0": .integer(Int64(half + 1)),
        ])
        let data = try handmade([
            .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(3), .uid(4)])]), classObject("NSArray"), counted,
            counted, classObject("NSCountedSet"), .string("a"),
        ])
        #expect(code { try read(data) } == .limitExceeded)
    }

    @Test(
        "An inconsistent counted set is refused",
        arguments: [
            (["NS.count": PropertyListValue.integer(1 << 59)], ArchiveError.Code.corruptObject),
            (["NS.count": .integer(1), "NS.object0": .uid(3)], .corruptObject),
            (["NS.count": .integer(1), "NS.object0": .uid(3), "NS.count0": .integer(0)], .corruptObject),
            (["NS.count": .integer(1), "NS.object0": .uid(3), "NS.count0": .integer(-1)], .corruptObject),
            (["NS.count": .integer(1), "NS.object0": .uid(3), "NS.count0": .integer(1 << 59)], .limitExceeded),
        ])
    func lyingCountedSets(_ fields: [String: PropertyListValue], _ expected: ArchiveError.Code) throws {
        let object = fields.merging(["$class": .uid(2)]) { $1 }
        let data = try handmade([.dictionary(object), classObject("NSCountedSet"), .string("a")])
        #expect(code { try read(data) } == expected)
    }

    @Test("Sets are written in a canonical order")
    func order() throws {
        let numbers = (0..<40).map { $0 * 7919 % 101 }
        let forwards = NSSet(array: numbers)
        let backwards = NSSet(array: numbers.reversed())
        let written = try archived(forwards)
        let again = try archived(backwards)
        #expect(written == again)
        let swiftSet = try archived(Set(numbers))
        let swiftSetAgain = try archived(Set(numbers.reversed()))
        #expect(swiftSet == swiftSetAgain)
    }

    @Test("An empty collection of each kind stays empty")
    func empty() throws {
        for value in [NSArray(), NSMutableArray(), NSSet(), NSCountedSet(), NSOrderedSet(), NSDictionary()]
            as [NSObject]
        {
            let read = try #require(try read(archived(value)))
            #expect(read.isEqual(value), "\(type(of: value))")
        }
    }

    // MARK: - Values on which Foundation on Linux traps or never returns

    @Test("A decimal number is refused as a key or element of a set")
    func decimalsAsElements() throws {
        let number = try archived(NSDecimalNumber(string: "1.5"))
        let alone = try read(number) as? NSDecimalNumber
        #expect(alone == NSDecimalNumber(string: "1.5"))
        guard case .array(let list) = try PropertyListValue(binary: number)["$objects"],
            case .uid(let cls) = list[1]["$class"], case .dictionary(var fields) = list[1]
        else {
            Issue.record("expected the record of a number, came \(number.base64EncodedString())")
            return
        }
        fields["$class"] = .uid(4)
        let data = try handmade([
            .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(3)])]), classObject("NSSet"),
            .dictionary(fields), list[Int(cls)],
        ])
        #expect(code { try read(data) } == .typeMismatch)
    }

    @Test("Null is a single instance, so that two nulls are one key")
    func nulls() throws {
        let null = PropertyListValue.dictionary(["$class": .uid(4)])
        func data(_ name: String, _ fields: [String: PropertyListValue]) throws -> Data {
            try handmade([
                .dictionary(fields.merging(["$class": .uid(2)]) { $1 }), classObject(name), null, classObject("NSNull"),
                null,
            ])
        }
        let written = try count(
            "NSNull", in: archived([NSNull(), Int?.none as Any, NSArray(object: NSNull())] as [Any]))
        #expect(written == 1)
        let two = PropertyListValue.array([.uid(3), .uid(5)])
        let set = try read(data("NSSet", ["NS.objects": two])) as? NSSet
        #expect(set?.count == 1)
        #expect(code { try read(data("NSDictionary", ["NS.keys": two, "NS.objects": two])) } == .duplicateKey)
    }
}
