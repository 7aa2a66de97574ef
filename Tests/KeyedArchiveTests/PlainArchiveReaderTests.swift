import Foundation
import Testing

@testable import KeyedArchive

/// Tests of reading an archive of plain values as a tree.
@Suite("Archives as trees")
struct PlainArchiveReaderTests {
    private func limits(_ lower: (inout ArchiveLimits) -> Void) -> ArchiveLimits {
        var lowered = ArchiveLimits.standard
        lower(&lowered)
        return lowered
    }

    private func refusal(_ data: Data, limits: ArchiveLimits = .standard) -> ArchiveError? {
        do {
            _ = try PropertyListValue(archive: data, limits: limits)
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Nesting

    private func dictionary(_ cls: UInt32, _ keys: [UInt32], _ values: [UInt32]) -> PropertyListValue {
        .dictionary([
            "$class": .uid(cls), "NS.keys": .array(keys.map { .uid($0) }),
            "NS.objects": .array(values.map { .uid($0) }),
        ])
    }

    /// Returns an archive of nested dictionaries, each under “k” of the one around it. The innermost is empty.
    private func nested(_ levels: Int) throws -> Data {
        let (key, cls) = (UInt32(levels + 1), UInt32(levels + 2))
        let tables = (1..<levels).map { dictionary(cls, [key], [UInt32($0 + 1)]) }
        return try handmade(tables + [dictionary(cls, [], []), .string("k"), classObject("NSDictionary")])
    }

    @Test("Dictionaries nested exactly to the limit are read, one more is refused", arguments: [0, 1, 3, 128])
    func depth(_ depth: Int) throws {
        let lowered = limits { $0.depth = depth }
        // The outermost dictionary has depth 0.
        let exact = try refusal(nested(depth + 1), limits: lowered)
        #expect(exact == nil)
        let deeper = try refusal(nested(depth + 2), limits: lowered)
        #expect(deeper?.code == .limitExceeded)
        #expect(deeper?.detail == "nested deeper than \(depth)")
        // The first key exceeds a limit of zero; later ones are known, and the innermost dictionary exceeds the others.
        let path = Array(repeating: "k", count: depth == 0 ? 0 : depth + 1).joined(separator: ".")
        #expect(deeper?.keyPath == path)
    }

    @Test("A key is one level deeper than its dictionary")
    func depthOfKeys() throws {
        let data = try handmade([dictionary(2, [3], [4]), classObject("NSDictionary"), .string("k"), .integer(5)])
        let exact = refusal(data, limits: limits { $0.depth = 1 })
        #expect(exact == nil)
        let deeper = refusal(data, limits: limits { $0.depth = 0 })
        #expect(deeper?.code == .limitExceeded)
    }

    // MARK: - Costs

    @Test("An archive of one number takes the memory of the places of its objects, and no less")
    func places() throws {
        // “$null” and the number, of four bytes each, and of eight more each as objects.
        let data = try handmade([.integer(5)])
        let tree = refusal(data, limits: limits { $0.memory = 8 })
        #expect(tree == nil)
        let treeWithLess = refusal(data, limits: limits { $0.memory = 7 })
        #expect(treeWithLess?.code == .limitExceeded)
        let objects = code { try KeyedUnarchiver(forReadingFrom: data, limits: limits { $0.memory = 24 }) }
        #expect(objects == nil)
        let objectsWithLess = code { try KeyedUnarchiver(forReadingFrom: data, limits: limits { $0.memory = 23 }) }
        #expect(objectsWithLess == .limitExceeded)
    }

    /// Returns an archive of references to one array of two references to an array of numbers.
    private func shared(_ count: Int, references: Int) throws -> Data {
        func list(_ uid: UInt32, _ count: Int) -> PropertyListValue {
            .dictionary(["$class": .uid(5), "NS.objects": .array(Array(repeating: .uid(uid), count: count))])
        }
        return try handmade([list(2, references), list(3, 2), list(4, count), .integer(5), classObject("NSArray")])
    }

    @Test("Each further reference costs all elements of its array, up to half the archive's size plus 8,192")
    func sharing() throws {
        for count in stride(from: 90, through: 130, by: 4) {
            // The elements that are shared: of the inner array once, then of the outer one with both inner ones.
            func elements(_ references: Int) -> Int { count + (references - 1) * (2 * count + 2) }
            func allowed(_ references: Int) throws -> Int {
                let size = try shared(count, references: references).count
                return (4 * size + 65_536) / 8
            }
            var references = 8192 / (2 * count + 2) - 1
            while try elements(references + 1) <= allowed(references + 1) { references += 1 }
            let exact = try shared(count, references: references)
            let more = try shared(count, references: references + 1)
            #expect(refusal(exact) == nil, "\(references) references to \(count) elements")
            #expect(refusal(more)?.code == .limitExceeded, "\(references + 1) references to \(count) elements")
            let classes: [AnyClass] = [NSArray.self, NSNumber.self]
            let objects = code { try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: exact) }
            #expect(objects == nil, "\(references) references to \(count) elements")
            let moreObjects = code { try KeyedUnarchiver.unarchivedObject(ofClasses: classes, from: more) }
            #expect(moreObjects == .limitExceeded, "\(references + 1) references to \(count) elements")
        }
    }

    // MARK: - Refusals

    /// An invalid archive: its objects, and the error for it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let objects: [PropertyListValue]
        let code: ArchiveError.Code
        let detail: String
        var kind: String?
        var keyPath = ""
    }

    private static func list(_ elements: PropertyListValue...) -> PropertyListValue {
        .dictionary(["$class": .uid(2), "NS.objects": .array(elements)])
    }

    private static func table(_ keys: [PropertyListValue], _ values: [PropertyListValue]) -> PropertyListValue {
        .dictionary(["$class": .uid(2), "NS.keys": .array(keys), "NS.objects": .array(values)])
    }

    static let cases = [
        Case(
            testDescription: "nil in an array",
            objects: [list(.uid(3), .uid(0)), classObject("NSArray"), .integer(5)],
            code: .corruptObject, detail: "nil among plain values", keyPath: "[1]"),
        Case(
            testDescription: "a date that is no object",
            objects: [list(.uid(3)), classObject("NSArray"), .date(5)], code: .corruptObject,
            detail: "cannot be an archived object", kind: "date", keyPath: "[0]"),
        Case(
            testDescription: "a UID beyond the objects", objects: [list(.uid(3)), classObject("NSArray")],
            code: .corruptObject, detail: "UID 3 of 3 objects", kind: "UID", keyPath: "[0]"),
        Case(
            testDescription: "two equal keys",
            objects: [
                table([.uid(3), .uid(3)], [.uid(4), .uid(4)]), classObject("NSDictionary"), .string("k"), .integer(5),
            ], code: .duplicateKey, detail: "“k”", kind: "NSDictionary", keyPath: "k"),
        Case(
            testDescription: "a key that is a number",
            objects: [table([.uid(3)], [.uid(3)]), classObject("NSDictionary"), .integer(5)], code: .typeMismatch,
            detail: "a dictionary key is not a string", kind: "NSDictionary"),
        Case(
            testDescription: "more keys than values",
            objects: [table([.uid(3)], []), classObject("NSDictionary"), .string("k")], code: .corruptObject,
            detail: "1 keys for 0 values", kind: "NSDictionary"),
        Case(
            testDescription: "more values than keys",
            objects: [table([], [.uid(3)]), classObject("NSDictionary"), .string("k")], code: .corruptObject,
            detail: "0 keys for 1 values", kind: "NSDictionary"),
        Case(
            testDescription: "an array without elements",
            objects: [.dictionary(["$class": .uid(2)]), classObject("NSArray")], code: .missingValue,
            detail: "no list under “NS.objects”"),
        Case(
            testDescription: "a dictionary without keys", objects: [list(), classObject("NSDictionary")],
            code: .missingValue, detail: "no list under “NS.keys”"),
        Case(
            testDescription: "a set", objects: [list(), classObject("NSSet")], code: .classNotAllowed,
            detail: "“NSSet” among plain values", kind: "NSSet"),
        Case(
            testDescription: "an object of an unknown class", objects: [list(), classObject("Theirs")],
            code: .classNotAllowed, detail: "“Theirs” among plain values", kind: "Theirs"),
        Case(
            testDescription: "a set within a dictionary within an array",
            objects: [
                list(.uid(3)), classObject("NSArray"),
                .dictionary(["$class": .uid(4), "NS.keys": .array([.uid(5)]), "NS.objects": .array([.uid(6)])]),
                classObject("NSDictionary"), .string("k"), .dictionary(["$class": .uid(7)]), classObject("NSSet"),
            ], code: .classNotAllowed, detail: "“NSSet” among plain values", kind: "NSSet", keyPath: "[0].k"),
    ]

    @Test("An archive that is no tree of plain values is refused with the reason and the path", arguments: cases)
    func refusals(_ invalid: Case) throws {
        let error = try refusal(handmade(invalid.objects))
        #expect(error?.code == invalid.code)
        #expect(error?.detail == invalid.detail)
        #expect(error?.kind == invalid.kind)
        #expect(error?.keyPath == invalid.keyPath)
    }

    @Test("Each plain value is read under any key of the top, and a missing key is named")
    func keys() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(NSMutableArray(array: ["a"]), forKey: "list")
        archiver.encode(NSMutableDictionary(dictionary: ["k": NSNull()]), forKey: "table")
        archiver.encode(NSMutableData(data: Data([1, 2])), forKey: "data")
        let data = archiver.encodedData
        let list = try PropertyListValue(archive: data, key: "list")
        #expect(list == .array([.string("a")]))
        let table = try PropertyListValue(archive: data, key: "table")
        #expect(table == .dictionary(["k": .null]))
        let bytes = try PropertyListValue(archive: data, key: "data")
        #expect(bytes == .data(Data([1, 2])))
        let error = refusal(data)
        #expect(error?.code == .missingValue)
        #expect(error?.detail == "“$top” has no “root”")
    }
}
