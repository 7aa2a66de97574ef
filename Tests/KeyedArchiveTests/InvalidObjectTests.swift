import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the exact errors of objects that lack a part, or have an invalid one.
@Suite("Invalid objects")
struct InvalidObjectTests {
    /// An invalid object: its class, its fields, and the error for it. The UID 3 is an empty text, 4 is the number 5.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let fields: [String: PropertyListValue]
        let detail: String
        var code = ArchiveError.Code.corruptObject
        var kind: String?
        var keyPath = "root"

        var testDescription: String { "\(name): \(detail)" }
    }

    static let cases = [
        Case(
            name: "NSIndexSet", fields: ["NSRangeCount": .integer(-1)],
            detail: "the number of ranges is missing or invalid"),
        Case(name: "NSIndexSet", fields: [:], detail: "the number of ranges is missing or invalid"),
        Case(
            name: "NSIndexSet", fields: ["NSRangeCount": .integer(1), "NSLocation": .integer(1)],
            detail: "the range is missing or invalid"),
        Case(
            name: "NSIndexSet",
            fields: ["NSRangeCount": .integer(1), "NSLocation": .integer(1), "NSLength": .integer(0)],
            detail: "the range is missing or invalid"),
        Case(
            name: "NSIndexSet", fields: ["NSRangeCount": .integer(2)], detail: "the ranges are missing or invalid"),
        Case(
            name: "NSMutableIndexSet", fields: ["NSRangeCount": .integer(2)],
            detail: "the ranges are missing or invalid", kind: "NSIndexSet"),
        Case(
            name: "NSCountedSet", fields: ["NS.count": .integer(-1)],
            detail: "the number of elements is missing or invalid"),
        // With its class and the number, the object has two keys.
        Case(
            name: "NSCountedSet", fields: ["NS.count": .integer(2)], detail: "element 0 or its count is missing"),
        Case(
            name: "NSCountedSet", fields: ["NS.count": .integer(3)],
            detail: "the number of elements is missing or invalid"),
        Case(
            name: "NSCountedSet",
            fields: [
                "NS.count": .integer(2), "NS.object0": .uid(3), "NS.count0": .integer(1), "NS.object1": .uid(4),
                "NS.count1": .integer(0),
            ], detail: "element 1 or its count is missing"),
        Case(
            name: "NSValue", fields: ["NS.special": .integer(0)], detail: "the kind of value is missing or unknown"),
        Case(
            name: "NSValue", fields: ["NS.special": .integer(5)], detail: "the kind of value is missing or unknown"),
        Case(
            name: "NSValue", fields: ["NS.special": .integer(1)], detail: "“NS.pointval” is missing or invalid"),
        Case(name: "NSValue", fields: ["NS.special": .integer(2)], detail: "“NS.sizeval” is missing or invalid"),
        Case(name: "NSValue", fields: ["NS.special": .integer(3)], detail: "“NS.rectval” is missing or invalid"),
        Case(name: "NSValue", fields: ["NS.special": .integer(4)], detail: "the range is missing or invalid"),
        Case(
            name: "NSValue", fields: ["NS.special": .integer(1), "NS.pointval": .uid(3)],
            detail: "“NS.pointval” is missing or invalid"),
        Case(
            name: "NSURL", fields: ["NS.base": .uid(0), "NS.relative": .uid(0)],
            detail: "the URL is missing or invalid"),
        Case(
            name: "NSURL", fields: ["NS.base": .uid(0), "NS.relative": .uid(3)],
            detail: "the URL is missing or invalid"),
        Case(name: "NSDecimalNumber", fields: [:], detail: "the decimal number is incomplete or invalid"),
        Case(name: "NSDate", fields: [:], detail: "no time under “NS.time”", code: .missingValue),
        Case(name: "NSDate", fields: ["NS.time": .real(.nan)], detail: "date is not a finite number"),
        Case(name: "NSUUID", fields: [:], detail: "no data under “NS.uuidbytes”", code: .missingValue),
        Case(name: "NSUUID", fields: ["NS.uuidbytes": .data(Data(count: 15))], detail: "UUID of 15 bytes"),
        Case(
            name: "NSString", fields: [:], detail: "no string under “NS.string”", code: .missingValue,
            kind: "NSMutableString"),
        Case(
            name: "NSData", fields: [:], detail: "no data under “NS.data”", code: .missingValue, kind: "NSMutableData"),
        Case(name: "NSArray", fields: [:], detail: "no “NS.objects”", code: .missingValue),
        Case(name: "NSMutableArray", fields: [:], detail: "no “NS.objects”", code: .missingValue),
        Case(name: "NSSet", fields: [:], detail: "no “NS.objects”", code: .missingValue),
        Case(name: "NSDictionary", fields: [:], detail: "no “NS.keys”", code: .missingValue),
        Case(
            name: "NSArray", fields: ["NS.objects": .array([.uid(4), .uid(0)])], detail: "nil inside a collection",
            kind: "nil", keyPath: "root.NS.objects[1]"),
        Case(
            name: "NSArray", fields: ["NS.object.0": .uid(4), "NS.object.1": .uid(0)],
            detail: "nil inside a collection", kind: "nil", keyPath: "root.NS.object.1"),
        Case(
            name: "NSOrderedSet", fields: ["NS.object.0": .uid(0)], detail: "nil inside a collection", kind: "nil",
            keyPath: "root.NS.object.0"),
        Case(
            name: "NSArray", fields: ["NS.objects": .integer(1)], detail: "“NS.objects” is not an array",
            code: .typeMismatch, kind: "integer"),
    ]

    @Test("An invalid object is refused with its class and what is missing", arguments: cases)
    func refusals(_ invalid: Case) throws {
        let record = invalid.fields.merging(["$class": .uid(2)]) { $1 }
        let data = try handmade([.dictionary(record), classObject(invalid.name), .string(""), .integer(5)])
        let error = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedObject(ofClasses: CollectionTests.collectionClasses, from: data)
        }
        #expect(error?.code == invalid.code)
        #expect(error?.detail == invalid.detail)
        #expect(error?.kind == (invalid.kind ?? invalid.name))
        #expect(error?.keyPath == invalid.keyPath)
    }

    @Test("Empty collections of the old form are those of ordered sets only")
    func empty() throws {
        for name in ["NSOrderedSet", "NSMutableOrderedSet"] {
            let data = try handmade([.dictionary(["$class": .uid(2)]), classObject(name)])
            let object = try KeyedUnarchiver.unarchivedObject(ofClasses: [NSOrderedSet.self], from: data)
            #expect((object as? NSOrderedSet)?.count == 0, "\(name)")
            let isMutable = object is NSMutableOrderedSet
            #expect(isMutable == (name == "NSMutableOrderedSet"))
        }
    }
}
