import Foundation
import Testing

@testable import KeyedArchive

@Suite("Direct Swift values")
struct SwiftValueTests {
    static func unarchiver(_ values: [String: Any]) throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for (key, value) in values { archiver.encode(value, forKey: key) }
        return try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }

    @Test("Each value survives a round trip, and missing and nil values are nil")
    func values() throws {
        let (uuid, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 1.25))
        let coder = try Self.unarchiver(["s": "Grüße", "d": Data([1, 2]), "t": date, "u": uuid])
        #expect(coder.decodeString(forKey: "s") == "Grüße")
        #expect(coder.decodeData(forKey: "d") == Data([1, 2]))
        #expect(coder.decodeDate(forKey: "t") == date)
        #expect(coder.decodeUUID(forKey: "u") == uuid)
        #expect(coder.decodeString(forKey: "absent") == nil)
        #expect(coder.error == nil)
    }

    @Test("A text that many objects share is charged once, however often it is read")
    func shared() throws {
        let title = String(repeating: "the same long title ", count: 20)
        let courses = (0..<200).map { _ in Course(title: title) }
        let data = try archived(courses)
        #expect(data.count < 200 * title.utf8.count)
        let coder = try KeyedUnarchiver(forReadingFrom: data)
        let read = coder.decodeObject(of: [NSArray.self, SharedTitle.self], forKey: "root") as? [SharedTitle]
        #expect(read?.map(\.title) == courses.map(\.title), "\(String(describing: coder.error))")
    }

    /// Reads the archived form of ``Course`` with the direct methods.
    final class SharedTitle: NSObject, NSSecureCoding, ArchiveNaming {
        static let archiveName = Course.archiveName
        static let supportsSecureCoding = true
        let title: String
        func encode(with coder: NSCoder) { coder.encode(title, forKey: "title") }
        init?(coder: NSCoder) {
            guard let title = coder.decodeString(forKey: "title") else { return nil }
            self.title = title
        }
    }

    @Test("A value of another type is an error that names the key", arguments: ["s", "d", "t", "u"])
    func mismatch(_ key: String) throws {
        let coder = try Self.unarchiver(["s": 1, "d": "text", "t": UUID(), "u": Date()])
        switch key {
        case "s": #expect(coder.decodeString(forKey: key) == nil)
        case "d": #expect(coder.decodeData(forKey: key) == nil)
        case "t": #expect(coder.decodeDate(forKey: key) == nil)
        default: #expect(coder.decodeUUID(forKey: key) == nil)
        }
        #expect((coder.error as? ArchiveError)?.code == .typeMismatch)
        #expect((coder.error as? ArchiveError)?.keyPath == key)
    }

    @Test("An archive of plain values is read as a tree")
    func plain() throws {
        let data = try archived([
            "a": [1, true, "x", Data([9])] as [Any], "b": ["c": Date(timeIntervalSinceReferenceDate: 3)],
        ])
        let tree = try PropertyListValue(archive: data)
        let expected = PropertyListValue.dictionary([
            "a": .array([.integer(1), .boolean(true), .string("x"), .data(Data([9]))]),
            "b": .dictionary(["c": .date(3)]),
        ])
        #expect(tree == expected)
    }

    @Test("Other objects in such an archive are refused")
    func refused() throws {
        #expect(code { try PropertyListValue(archive: archived(["a": UUID()])) } == .classNotAllowed)
        let cycle = try handmade([
            .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(1)])]), classObject("NSArray"),
        ])
        #expect(code { try PropertyListValue(archive: cycle) } == .cycle)
        #expect(code { try PropertyListValue(archive: Data([1, 2, 3])) } == .notPropertyList)
    }

    @Test("Nested arrays that contain the next one twice are read at every entry point while they expand to little")
    func amplification() throws {
        func archive(levels: Int) throws -> Data {
            let cls = UInt32(levels + 2)
            let objects: [PropertyListValue] = (1...levels).map { level in
                let next = PropertyListValue.uid(UInt32(level + 1))
                return .dictionary(["$class": .uid(cls), "NS.objects": .array([next, next])])
            }
            return try handmade(objects + [.string("leaf"), classObject("NSArray")])
        }
        _ = try PropertyListValue(archive: archive(levels: 12))
        let few = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: archive(levels: 12))
        #expect(few != nil)
        let shared = try archive(levels: 30)
        #expect(code { try PropertyListValue(archive: shared) } == .limitExceeded)
        #expect(code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: shared) } == .limitExceeded)
        #expect(code { try KeyedArchiveDecoder().decode(NestedLists.self, from: shared) } == .limitExceeded)
    }

    @Test("Equal texts of several mutable objects, which are written once, are read for each")
    func equalBodies() throws {
        let text = String(repeating: "long ", count: 500)
        let archive = try archived((0..<5).map { _ in NSMutableString(string: text) })
        #expect(archive.count < 2 * text.utf8.count)
        let objects = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: archive)
        #expect(objects != nil)
        let tree = try PropertyListValue(archive: archive)
        #expect(tree == .array(Array(repeating: .string(text), count: 5)))
    }
}
