import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the elements of sets and keys of dictionaries: Foundation on Linux traps on some of them, or never returns.
@Suite("Looked up by value")
struct LookUpTests {
    private static let collections = [
        "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet", "NSMutableSet", "NSCountedSet",
        "NSOrderedSet", "NSMutableOrderedSet",
    ]
    /// The collections that look up their elements or keys.
    private static let tables = collections.filter { !$0.hasSuffix("Array") }

    private func read(_ data: Data) throws -> NSObject? {
        try KeyedUnarchiver.unarchivedObject(ofClasses: CollectionTests.collectionClasses, from: data) as? NSObject
    }

    /// Returns the record of a collection whose elements, or keys, are looked up.
    private func table(_ name: String, of uids: [UInt32], class cls: UInt32) -> PropertyListValue {
        var entries: [String: PropertyListValue] = ["$class": .uid(cls)]
        switch name {
        case "NSCountedSet":
            entries["NS.count"] = .integer(Int64(uids.count))
            for (position, uid) in uids.enumerated() {
                entries["NS.object\(position)"] = .uid(uid)
                entries["NS.count\(position)"] = .integer(1)
            }
        case "NSOrderedSet", "NSMutableOrderedSet":
            for (position, uid) in uids.enumerated() { entries["NS.object.\(position)"] = .uid(uid) }
        default:
            entries["NS.objects"] = .array(uids.map { .uid($0) })
            if name.hasSuffix("Dictionary") { entries["NS.keys"] = entries["NS.objects"] }
        }
        return .dictionary(entries)
    }

    /// Returns an archive of a collection that looks up some objects.
    private func archive(
        _ name: String, of objects: [PropertyListValue], _ others: [PropertyListValue] = []
    ) throws -> Data {
        let uids = objects.indices.map { UInt32(3 + $0) }
        return try handmade([table(name, of: uids, class: 2), classObject(name)] + objects + others)
    }

    @Test("A collection is refused as an element of a set and as a key", arguments: tables, collections)
    func collectionsInTables(_ outer: String, _ inner: String) throws {
        let data = try archive(outer, of: [table(inner, of: [], class: 4)], [classObject(inner)])
        #expect(code { try read(data) } == .typeMismatch)
    }

    @Test("A collection is read as an element of an array and as a value", arguments: collections)
    func collectionsElsewhere(_ inner: String) throws {
        let data = try handmade([
            .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(3)])]), classObject("NSArray"),
            table(inner, of: [5, 6], class: 4), classObject(inner), .string("a"), .integer(1),
        ])
        let list = try read(data) as? NSArray
        #expect(list?.count == 1)
    }

    @Test("Equal ordered sets with different hashes do not crash the process")
    func equalOrderedSets() throws {
        // Two nested mutable ordered sets, the inner one with a set of two ordered sets of one equal number each.
        let data = try handmade([
            table("NSMutableOrderedSet", of: [2], class: 8), table("NSMutableOrderedSet", of: [3], class: 8),
            table("NSSet", of: [4, 5], class: 9), table("NSOrderedSet", of: [6], class: 10),
            table("NSMutableOrderedSet", of: [7], class: 8), .integer(1), .real(1),
            classObject("NSMutableOrderedSet"), classObject("NSSet"), classObject("NSOrderedSet"),
        ])
        #expect(code { try read(data) } == .typeMismatch)
    }

    @Test("Nested sets that each contain the next two are refused at the first level")
    func levels() throws {
        let pairs: [PropertyListValue] = (0..<22).flatMap { level in
            let next = UInt32(2 * level + 3)
            return [table("NSSet", of: [next, next + 1], class: 47), table("NSSet", of: [next + 1, next], class: 47)]
        }
        let data = try handmade(pairs + [.string("a"), .string("b"), classObject("NSSet")])
        #expect(code { try read(data) } == .typeMismatch)
    }

    @Test("Two Unicode forms of one text are refused, one form twice is one element", arguments: tables)
    func forms(_ name: String) throws {
        let (composed, decomposed) = (PropertyListValue.string("\u{E9}"), PropertyListValue.string("e\u{301}"))
        #expect(code { try read(archive(name, of: [composed, decomposed])) } == .duplicateKey)
        #expect(code { try read(archive(name, of: [decomposed, .string("a"), composed])) } == .duplicateKey)
        let twice = try archive(name, of: [composed, composed])
        if name.hasSuffix("Dictionary") {
            #expect(code { try read(twice) } == .duplicateKey)
        } else {
            let object = try read(twice)
            let count = (object as? NSSet)?.count ?? (object as? NSOrderedSet)?.count
            #expect(count == 1)
        }
    }

    @Test("A relative URL is accepted as an element but not as a key, which Foundation would not find again")
    func relativeURLs() throws {
        func archive(_ name: String) throws -> Data {
            try self.archive(
                name, of: [.dictionary(["$class": .uid(4), "NS.base": .uid(5), "NS.relative": .uid(6)])],
                [
                    classObject("NSURL"), .dictionary(["$class": .uid(4), "NS.base": .uid(0), "NS.relative": .uid(7)]),
                    .string("b"), .string("http://example.org/a/"),
                ])
        }
        let set = try read(archive("NSSet")) as? NSSet
        #expect(set?.count == 1)
        #expect(code { try read(archive("NSDictionary")) } == .typeMismatch)
    }

    // MARK: - Values that cost more than their bytes

    /// Returns texts with one hash: they differ where Foundation does not hash them.
    private func collidingTexts(_ count: Int) -> [PropertyListValue] {
        (0..<count).map { number in
            let middle = "\(1000 + number)"
            return .string(String(repeating: "x", count: 40) + middle + String(repeating: "y", count: 156))
        }
    }

    @Test("Many elements with one hash are refused, few are read", arguments: tables)
    func oneHash(_ name: String) throws {
        let few = try read(archive(name, of: collidingTexts(50)))
        #expect(few != nil)
        #expect(code { try read(archive(name, of: collidingTexts(2000))) } == .limitExceeded)
    }

    @Test("The same number of elements with different hashes is read")
    func differentHashes() throws {
        let texts = (0..<2000).map { PropertyListValue.string("\($0)") }
        let set = try read(archive("NSSet", of: texts)) as? NSSet
        #expect(set?.count == 2000)
    }

    @Test("An index set's ranges must ascend, as inserting one before others moves them all")
    func ranges() throws {
        func read(_ bytes: [UInt8]) throws -> Int? {
            let data = try handmade([
                .dictionary([
                    "$class": .uid(2), "NSRangeCount": .integer(Int64(bytes.count / 2)), "NSRangeData": .uid(3),
                ]), classObject("NSIndexSet"), .data(Data(bytes)),
            ])
            return (try self.read(data) as? NSIndexSet)?.count
        }
        let apart = try read([1, 2, 5, 1])
        #expect(apart == 3)
        // They may touch.
        let touching = try read([1, 2, 3, 1])
        #expect(touching == 3)
        #expect(code { try read([1, 2, 2, 1]) } == .corruptObject)
        #expect(code { try read([5, 1, 1, 2]) } == .corruptObject)
    }

    @Test("A long text that many URLs share is charged for each")
    func sharedAddress() throws {
        func archive(of count: Int) throws -> Data {
            let address = "http://example.org/" + String(repeating: "a", count: 10_000)
            let urls = (0..<count).map { _ in
                PropertyListValue.dictionary(["$class": .uid(4), "NS.base": .uid(0), "NS.relative": .uid(3)])
            }
            return try handmade(
                [
                    .dictionary(["$class": .uid(2), "NS.objects": .array(urls.indices.map { .uid(UInt32(5 + $0)) })]),
                    classObject("NSArray"), .string(address), classObject("NSURL"),
                ] + urls)
        }
        let list = try read(archive(of: 20)) as? NSArray
        #expect(list?.count == 20)
        #expect(code { try read(archive(of: 2000)) } == .limitExceeded)
    }

    @Test("A long text is refused as a point, as many could share it")
    func longPoint() throws {
        func read(_ text: String) throws -> NSValue? {
            let data = try handmade([
                .dictionary(["$class": .uid(2), "NS.special": .integer(1), "NS.pointval": .uid(3)]),
                classObject("NSValue"), .string(text),
            ])
            return try self.read(data) as? NSValue
        }
        let point = "{1, 2}"
        let longest = try read(point + String(repeating: " ", count: 256 - point.utf8.count))?.pointValue
        #expect(longest == NSPoint(x: 1, y: 2))
        #expect(code { try read(point + String(repeating: " ", count: 257 - point.utf8.count)) } == .corruptObject)
    }
}
