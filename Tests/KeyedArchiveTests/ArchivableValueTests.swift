import Foundation
import Testing

@testable import KeyedArchive

/// Tests of how the values of each type are written.
@Suite("Kinds of values")
struct ArchivableValueTests {
    private struct Opaque {}

    /// Returns the plain value as which a value is written; nil if it is written as an object.
    private func plain(_ any: Any) -> PropertyListValue? {
        guard case .plain(let value) = ArchivableValue(any) else { return nil }
        return value
    }

    /// Returns the class under which a Swift value is written; nil for plain values and objects.
    private func form(_ any: Any) -> String? {
        guard case .value(let form) = ArchivableValue(any) else { return nil }
        return form.valueClass.name
    }

    @Test("Texts, data and numbers of each Swift type keep their kind")
    func swiftValues() {
        let values: [(Any, PropertyListValue)] = [
            ("text", .string("text")), (true, .boolean(true)), (false, .boolean(false)), (5, .integer(5)),
            (2.5, .real(2.5)), (1.0, .real(1)), (CGFloat(1.5), .real(1.5)), (Float(0.5), .float(0.5)),
            (Data([1]), .data(Data([1]))), (UInt8(200), .integer(200)), (Int64.min, .integer(.min)),
            (UInt64(Int64.max), .integer(.max)), (UInt64.max, .unsigned(.max)), (AnyHashable("a"), .string("a")),
            (AnyHashable(7), .integer(7)),
        ]
        for (value, expected) in values {
            let came = plain(value)
            #expect(came == expected, "\(type(of: value))")
        }
    }

    @Test("Texts, data and numbers of Foundation's classes keep their kind")
    func objects() {
        let values: [(NSObject, PropertyListValue)] = [
            (NSString(string: "a"), .string("a")), (NSData(data: Data([2])), .data(Data([2]))),
            (NSNumber(value: true), .boolean(true)), (NSNumber(value: false), .boolean(false)),
            (NSNumber(value: 1), .integer(1)), (NSNumber(value: 0), .integer(0)), (NSNumber(value: 2.5), .real(2.5)),
            (NSNumber(value: Float(0.5)), .float(0.5)), (NSNumber(value: UInt64.max), .unsigned(.max)),
        ]
        for (value, expected) in values {
            let came = plain(value)
            #expect(came == expected, "\(value)")
        }
    }

    @Test("Other Swift values have the immutable class that Foundation would use")
    func forms() {
        let values: [(Any, String)] = [
            (Date(timeIntervalSinceReferenceDate: 5), "NSDate"), (UUID(), "NSUUID"), (URL(filePath: "/a"), "NSURL"),
            (Decimal(5), "NSDecimalNumber"), (IndexSet(integer: 3), "NSIndexSet"),
            (NSRange(location: 1, length: 2), "NSValue"), (CGPoint(x: 1, y: 2), "NSValue"), ([1, 2], "NSArray"),
            (["a": 1], "NSDictionary"), (Set([1]), "NSSet"), (AnyHashable([1]), "NSArray"),
        ]
        for (value, expected) in values {
            let came = form(value)
            #expect(came == expected, "\(type(of: value))")
        }
    }

    @Test("Nil is null, and a structure of the program has no form")
    func others() {
        guard case .object(let null, .null?) = ArchivableValue(Int?.none as Any) else {
            Issue.record("expected null, came \(ArchivableValue(Int?.none as Any))")
            return
        }
        let isOne = null === NSNull.one
        #expect(isOne)
        guard case .unsupported = ArchivableValue(Opaque()) else {
            Issue.record("expected no form, came \(ArchivableValue(Opaque()))")
            return
        }
    }

    @Test("The stored objects of each collection are those that were put into it")
    func storedObjects() {
        let text = NSMutableString(string: "text")
        let (objects, keys): ([AnyObject], [NSObject]) = ([text], [NSString(string: "k")])
        let counted = NSCountedSet()
        counted.add(text)
        let stored: [(String, [Any])] = [
            ("array", StoredObjects.of(NSArray(objects: objects, count: 1))),
            ("mutable array", StoredObjects.of(NSMutableArray(objects: objects, count: 1))),
            ("set", StoredObjects.of(NSSet(objects: objects, count: 1))),
            ("mutable set", StoredObjects.of(NSMutableSet(objects: objects, count: 1))),
            ("counted set", StoredObjects.of(counted)),
            ("dictionary", StoredObjects.of(NSDictionary(objects: objects, forKeys: keys, count: 1)).map(\.value)),
            (
                "mutable dictionary",
                StoredObjects.of(NSMutableDictionary(objects: objects, forKeys: keys, count: 1)).map(\.value)
            ),
        ]
        for (name, elements) in stored {
            #expect(elements.count == 1, "\(name)")
            let isSame = elements.first.map { ($0 as AnyObject) === text } ?? false
            #expect(isSame, "\(name)")
        }
    }

    @Test("An object that Foundation cannot look up, or not copy, is no key")
    func keys() throws {
        let base = try #require(URL(string: "http://example.org/a/"))
        let absolute = try #require(NSURL(string: "http://example.org/a"))
        let relative = try #require(NSURL(string: "b", relativeTo: base))
        for key in [NSString(string: "a"), NSNumber(value: 1), absolute] as [NSObject] {
            let canBeKey = FoundationEquality.canBeKey(key)
            #expect(canBeKey, "\(type(of: key))")
        }
        for other in [Course(title: "a"), NSArray(), NSDictionary(), NSSet(), relative] as [NSObject] {
            let canBeKey = FoundationEquality.canBeKey(other)
            #expect(!canBeKey, "\(type(of: other))")
        }
        let elements: [NSObject] = [Course(title: "a"), NSString(string: "a"), relative]
        let canLookUp = elements.map { FoundationEquality.canLookUp($0) }
        #expect(canLookUp == [true, true, true])
        let collections: [NSObject] = [
            NSArray(), NSDictionary(), NSSet(), NSOrderedSet(), NSDecimalNumber(string: "1"),
        ]
        let canLookUpCollections = collections.map { FoundationEquality.canLookUp($0) }
        #expect(canLookUpCollections == [false, false, false, false, false])
    }

    @Test("Only two Unicode forms of one text are two forms")
    func textForms() {
        let (composed, decomposed) = (NSString(string: "\u{E9}"), NSString(string: "e\u{301}"))
        let lists: [([NSString], Bool)] = [
            ([composed, decomposed], true), ([decomposed, composed], true), ([composed, composed], false),
            ([decomposed, decomposed], false), ([composed, NSString(string: "\u{E8}")], false),
            ([NSString(string: "a"), NSString(string: "a")], false),
            ([decomposed, NSString(string: "a"), composed], true),
        ]
        for (list, expected) in lists {
            let holdsTwoForms = FoundationEquality.holdsTwoForms(list)
            #expect(holdsTwoForms == expected, "\(list)")
        }
    }
}
