import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the classes under which values are written.
@Suite("Classes of values")
struct FoundationValueTests {
    /// Returns `$classes` of the root object.
    private func chain(of object: Any) throws -> [PropertyListValue] {
        let tree = try PropertyListValue(binary: archived(object))
        guard case .array(let objects) = tree["$objects"], case .uid(let cls) = objects[1]["$class"],
            case .array(let names) = objects[Int(cls)]["$classes"], names.first == objects[Int(cls)]["$classname"]
        else { return [] }
        return names
    }

    private func objects() throws -> [(object: NSObject, ancestors: [String])] {
        let set = NSMutableSet()
        set.add("a")
        let indexes = NSMutableIndexSet()
        indexes.add(in: NSRange(location: 3, length: 2))
        let url = try #require(NSURL(string: "https://example.org/a"))
        return [
            (NSArray(array: ["a"]), ["NSArray"]), (NSMutableArray(array: ["a"]), ["NSMutableArray", "NSArray"]),
            (NSDictionary(dictionary: ["a": 1]), ["NSDictionary"]),
            (NSMutableDictionary(dictionary: ["a": 1]), ["NSMutableDictionary", "NSDictionary"]),
            (NSSet(array: ["a"]), ["NSSet"]), (set, ["NSMutableSet", "NSSet"]),
            (NSCountedSet(array: ["a"]), ["NSCountedSet", "NSMutableSet", "NSSet"]),
            (NSOrderedSet(array: ["a"]), ["NSOrderedSet"]),
            (NSMutableOrderedSet(array: ["a"]), ["NSMutableOrderedSet", "NSOrderedSet"]),
            (NSIndexSet(indexSet: IndexSet(integer: 3)), ["NSIndexSet"]),
            (indexes, ["NSMutableIndexSet", "NSIndexSet"]),
            (NSMutableString(string: "a"), ["NSMutableString", "NSString"]),
            (NSMutableData(data: Data([1])), ["NSMutableData", "NSData"]),
            (NSDate(timeIntervalSinceReferenceDate: 5), ["NSDate"]), (UUID() as NSUUID, ["NSUUID"]), (url, ["NSURL"]),
            (NSNull(), ["NSNull"]), (NSValue(range: NSRange(location: 1, length: 2)), ["NSValue"]),
            (NSDecimalNumber(string: "1.5"), ["NSDecimalNumber", "NSNumber", "NSValue"]),
        ]
    }

    @Test("Each Foundation object is written under its own class and ancestors, and read as an object of that class")
    func classes() throws {
        for (object, ancestors) in try objects() {
            let names = try chain(of: object)
            let expected = (ancestors + ["NSObject"]).map { PropertyListValue.string($0) }
            #expect(names == expected)
            let data = try archived(object)
            let read = try KeyedUnarchiver.unarchivedObject(ofClasses: CollectionTests.collectionClasses, from: data)
            let name = (read as? NSObject).map { "\(type(of: $0))" }
            #expect(name == "\(type(of: object))")
        }
    }

    @Test("Each Swift value is written under the class that Foundation would use")
    func swiftValues() throws {
        let values: [(Any, [String])] = [
            (["a"], ["NSArray"]), ([1], ["NSArray"]), (["a": 1], ["NSDictionary"]), (Set(["a"]), ["NSSet"]),
            (IndexSet(integer: 3), ["NSIndexSet"]), (IndexSet([3, 9]), ["NSIndexSet"]), (Date(), ["NSDate"]),
            (UUID(), ["NSUUID"]), (URL(filePath: "/a"), ["NSURL"]),
            (Decimal(5), ["NSDecimalNumber", "NSNumber", "NSValue"]), (NSRange(location: 1, length: 2), ["NSValue"]),
            (CGPoint(x: 1, y: 2), ["NSValue"]), (CGSize(width: 1, height: 2), ["NSValue"]),
        ]
        for (value, ancestors) in values {
            let names = try chain(of: value)
            let expected = (ancestors + ["NSObject"]).map { PropertyListValue.string($0) }
            #expect(names == expected, "\(type(of: value))")
        }
    }

    @Test("The class of each name is found by the bytes of the name, and none by others")
    func names() {
        func cls(_ name: String) -> ValueClass? { Array(name.utf8).withUnsafeBytes { ValueClass(nameAt: $0) } }
        for valueClass in ValueClass.allCases {
            let found = cls(valueClass.name)
            #expect(found == valueClass)
            #expect(valueClass.chain.first == valueClass.name)
            #expect(valueClass.chain.last == "NSObject")
        }
        for name in ["", "N", "NS", "NSA", "NSArra", "NSArrayX", "XSArray", "NXArray", "nsarray", "NSObject"] {
            let found = cls(name)
            #expect(found == nil, "“\(name)”")
        }
    }

    @Test("An object of a class with a very short name is refused like any other", arguments: ["", "N", "NS", "S"])
    func shortNames(_ name: String) throws {
        let data = try handmade([.dictionary(["$class": .uid(2)]), classObject(name)])
        let objects = code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) }
        #expect(objects == .classNotAllowed)
        let tree = code { try PropertyListValue(archive: data) }
        #expect(tree == .classNotAllowed)
    }

    @Test("The ranges of an index set are packed with seven bits for each byte")
    func packedRanges() throws {
        let set = NSMutableIndexSet()
        for range in [0..<1, 127..<128, 256..<384, 16_384..<16_385] { set.add(in: NSRange(range)) }
        let tree = try PropertyListValue(binary: archived(set))
        guard case .array(let objects) = tree["$objects"], case .uid(let bytes) = objects[1]["NSRangeData"] else {
            Issue.record("expected packed ranges, came \(tree)")
            return
        }
        let expected: [UInt8] = [0, 1, 127, 1, 0x80, 2, 0x80, 1, 0x80, 0x80, 1, 1]
        #expect(objects[Int(bytes)] == .data(Data(expected)))
    }
}
