import Foundation
import Synchronization
import Testing

@testable import KeyedArchive

/// A class that counts how often it is asked for its name.
private final class Asked: NSObject, NSSecureCoding, ArchiveNaming {
    static let count = Atomic(0)
    static var archiveName: String {
        count.add(1, ordering: .relaxed)
        return "Asked"
    }
    static var supportsSecureCoding: Bool { true }
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) {}
}

/// Tests of the classes of an archive that is read.
@Suite("Classes of an archive")
struct ClassTableTests {
    /// An archive whose root is of Foundation's class of null.
    private static func null() throws -> Data {
        try handmade([.dictionary(["$class": .uid(2)]), classObject("NSNull")])
    }

    @Test("A class that is set for the name of one of Foundation's classes is used in its place")
    func inPlaceOfFoundations() throws {
        let unarchiver = try KeyedUnarchiver(forReadingFrom: Self.null())
        unarchiver.setClass(Link.self, forClassName: "NSNull")
        let link = unarchiver.decodeObject(of: Link.self, forKey: "root")
        #expect(link != nil)
        #expect(unarchiver.error == nil)
        let unaware = try KeyedUnarchiver(forReadingFrom: Self.null())
        let null = unaware.decodeObject(of: [Link.self, NSNull.self], forKey: "root")
        #expect(null is NSNull)
    }

    @Test("Where no program sets a class for all archives, one is used for a single archive, and classes cost memory")
    func alone() async {
        // In a process of its own, as other tests set classes.
        await #expect(processExitsWith: .success) {
            let data = try ClassTableTests.null()
            // Four bytes for each of three objects, and the class.
            var limits = ArchiveLimits.standard
            limits.memory = 76
            let tree = try PropertyListValue(archive: data, limits: limits)
            precondition(tree == .null, "\(tree)")
            limits.memory = 75
            let lowered = limits
            let refusal = code { try PropertyListValue(archive: data, limits: lowered) }
            precondition(refusal == .limitExceeded, "\(String(describing: refusal))")

            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            unarchiver.setClass(Link.self, forClassName: "NSNull")
            let link = unarchiver.decodeObject(of: Link.self, forKey: "root")
            precondition(link != nil, "\(String(describing: unarchiver.error))")
        }
    }

    @Test("A class is asked for its name once, however often it is written and read")
    func askedOnce() throws {
        for _ in 0..<3 {
            let data = try archived([Asked(), Asked()])
            let objects = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Asked.self, from: data)
            #expect(objects?.count == 2)
        }
        let count = Asked.count.load(ordering: .relaxed)
        #expect(count == 1)
    }

    @Test("A key that is no text is not the key of a class")
    func notText() throws {
        func text(_ text: String) -> String {
            "5" + String(text.utf8.count, radix: 16) + text.utf8.map { String($0, radix: 16) }.joined()
        }
        let name = "5f100f" + "NSKeyedArchiver".utf8.map { String($0, radix: 16) }.joined()
        var objects = ["d4 01020304 05060708"]
        objects += ["$version", "$archiver", "$top", "$objects"].map(text)
        objects += ["12 000186a0", name, "d1 09 0a", "a3 0b0c0f", text("root"), "80 01", text("$null")]
        // The object with the UID 1 has the key 5 and a value that is the UID of a class.
        objects += ["d1 0d 0e", "10 05", "80 02", "d1 10 11", text("$classname"), text("NSNull")]
        let data = PropertyListTests.file(objects: objects)
        let error = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data)
        }
        #expect(error?.code == .corruptObject)
        #expect(error?.detail == "an object without a class")
    }

    // MARK: - Document

    /// The refusals of roots that lack a member, or have another one in its place.
    static let refusals: [(String, PropertyListValue?, String)] = [
        ("$version", nil, "the root has no “$version”"), ("$archiver", nil, "the root has no “$archiver”"),
        ("$top", nil, "the root has no “$top”"), ("$objects", nil, "the root has no “$objects”"),
        ("$version", .integer(99_999), "“$version” is not 100000"),
        ("$version", .integer(100_001), "“$version” is not 100000"),
        ("$version", .string("100000"), "“$version” is not 100000"),
        ("$archiver", .string("NSKeyedArchiveR"), "“$archiver” is not “NSKeyedArchiver”"),
        ("$archiver", .string("NSKeyedArchive"), "“$archiver” is not “NSKeyedArchiver”"),
        ("$archiver", .integer(1), "“$archiver” is not “NSKeyedArchiver”"),
        ("$objects", .array([]), "“$objects” is not an array of objects"),
        ("$objects", .dictionary([:]), "“$objects” is not an array of objects"),
        ("$top", .integer(1), "“$top” is not a dictionary"),
    ]

    @Test("A root without one of its members, or with another in its place, is refused by name", arguments: refusals)
    func members(_ key: String, _ value: PropertyListValue?, _ detail: String) throws {
        var root: [String: PropertyListValue] = [
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null"), .string("a")]),
        ]
        root[key] = value
        let data = try PropertyListValue.dictionary(root).binaryData()
        let objects = #expect(throws: ArchiveError.self) { try KeyedUnarchiver(forReadingFrom: data) }
        #expect(objects?.code == .notKeyedArchive)
        #expect(objects?.detail == detail)
        let tree = #expect(throws: ArchiveError.self) { try PropertyListValue(archive: data) }
        #expect(tree == objects)
    }
}
