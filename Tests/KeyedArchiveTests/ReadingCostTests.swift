import Foundation
import Testing

@testable import KeyedArchive

/// A class with a list of its own kind, which it reads in one step.
private final class Branch: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = "Branch"
    static var supportsSecureCoding: Bool { true }
    let branches: [Branch]
    func encode(with coder: NSCoder) { coder.encode(branches, forKey: "branches") }
    required init?(coder: NSCoder) {
        guard let branches = coder.decodeArrayOfObjects(ofClass: Branch.self, forKey: "branches") else { return nil }
        self.branches = branches
        super.init()
    }
}

/// Tests of what reading costs when values are read again, and of delegates.
@Suite("Reading values again")
struct ReadingCostTests {
    @Test("A text that is read as a tree is charged once, whatever key refers to it and however often")
    func trees() throws {
        let text = String(repeating: "a", count: 40)
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(text, forKey: "first")
        archiver.encode(text, forKey: "second")
        let data = archiver.encodedData
        var limits = ArchiveLimits.standard
        limits.copiedBytes = 40
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        for key in ["first", "second", "first"] {
            let value = unarchiver.decodeValue(forKey: key)
            #expect(value == .string(text))
        }
        #expect(unarchiver.error == nil)
        limits.copiedBytes = 39
        let less = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
        let none = less.decodeValue(forKey: "first")
        #expect(none == nil)
        #expect((less.error as? ArchiveError)?.code == .limitExceeded)
        #expect((less.error as? ArchiveError)?.keyPath == "first")
    }

    @Test("A key that refers to nil reads as nil in every form, without an error")
    func none() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(nil, forKey: "none")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.containsValue(forKey: "none"))
        #expect(unarchiver.decodeString(forKey: "none") == nil)
        #expect(unarchiver.decodeData(forKey: "none") == nil)
        #expect(unarchiver.decodeDate(forKey: "none") == nil)
        #expect(unarchiver.decodeUUID(forKey: "none") == nil)
        #expect(unarchiver.decodeArray(of: Int.self, forKey: "none") == nil)
        #expect(unarchiver.decodeArrayOfObjects(ofClass: Course.self, forKey: "none") == nil)
        #expect(unarchiver.decodeObject(of: Course.self, forKey: "none") == nil)
        #expect(unarchiver.decodeValue(forKey: "none") == nil)
        #expect(unarchiver.decodeDecodable(String.self, forKey: "none") == nil)
        #expect(unarchiver.error == nil)
    }

    @Test(
        "A long key of many objects is charged once while they have the same keys, up to 16 of them",
        arguments: [(15, true), (16, true), (17, false), (18, false)])
    func sameKeys(_ count: Int, _ isFree: Bool) throws {
        let long = String(repeating: "k", count: 1000)
        // “$class” and the long key are two of them.
        let others = (2..<count).map { ("k\($0)", PropertyListValue.boolean(true)) }
        let records = (0..<40).map { number -> PropertyListValue in
            var fields = Dictionary(uniqueKeysWithValues: others)
            fields["$class"] = .uid(3)
            fields[long] = .integer(Int64(number))
            return .dictionary(fields)
        }
        let uids = records.indices.map { PropertyListValue.uid(UInt32(4 + $0)) }
        let data = try handmade(
            [
                .dictionary(["$class": .uid(2), "NS.objects": .array(uids)]), classObject("NSArray"),
                classObject("NSNull"),
            ] + records)
        let came = code { try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) }
        let expected: ArchiveError.Code? = isFree ? nil : .limitExceeded
        #expect(came == expected)
    }

    @Test("An array whose elements read the same array is a cycle")
    func cycle() throws {
        let data = try handmade([
            .dictionary(["$class": .uid(3), "NS.objects": .array([.uid(2)])]),
            .dictionary(["$class": .uid(4), "branches": .uid(1)]), classObject("NSArray"), classObject("Branch"),
        ])
        let error = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Branch.self, from: data)
        }
        #expect(error?.code == .cycle)
        #expect(error?.detail == "object 1 contains itself")
        #expect(error?.keyPath == "root.NS.objects[0].branches")
    }

    // MARK: - Delegates

    private final class Recorder: KeyedUnarchiverDelegate {
        var events: [String] = []
        var isOmitting = false

        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? {
            events.append("decoded")
            return isOmitting ? nil : object
        }
        func unarchiverWillFinish(_ unarchiver: KeyedUnarchiver) { events.append("will finish") }
        func unarchiverDidFinish(_ unarchiver: KeyedUnarchiver) { events.append("did finish") }
    }

    @Test("A delegate is told of each object once and of the end, until it is removed")
    func delegate() throws {
        let recorder = Recorder()
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for key in ["first", "second"] { archiver.encode(Course(title: key), forKey: key) }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.delegate = recorder
        for _ in 0..<2 {
            let first = unarchiver.decodeObject(of: Course.self, forKey: "first")
            #expect(first?.title == "first")
        }
        #expect(recorder.events == ["decoded"])
        unarchiver.finishDecoding()
        #expect(recorder.events == ["decoded", "will finish", "did finish"])
        unarchiver.delegate = nil
        let second = unarchiver.decodeObject(of: Course.self, forKey: "second")
        #expect(second?.title == "second")
        unarchiver.finishDecoding()
        #expect(recorder.events == ["decoded", "will finish", "did finish"])
        #expect(unarchiver.error == nil)
    }

    @Test("A delegate that returns nil for an object is an error that names the object's class")
    func omitting() throws {
        let recorder = Recorder()
        recorder.isOmitting = true
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archived(Course(title: "Suppe")))
        unarchiver.delegate = recorder
        let course = unarchiver.decodeObject(of: Course.self, forKey: "root")
        #expect(course == nil)
        let error = unarchiver.error as? ArchiveError
        #expect(error?.code == .initialiserFailed)
        #expect(error?.detail == "the delegate replaced it with nil")
        #expect(error?.kind == "Course")
        #expect(error?.keyPath == "root")
        #expect(recorder.events == ["decoded"])
    }

    @Test("Both coders are keyed, and store errors")
    func properties() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        #expect(archiver.allowsKeyedCoding)
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archived("text"))
        #expect(unarchiver.allowsKeyedCoding)
        #expect(unarchiver.requiresSecureCoding)
        #expect(unarchiver.decodingFailurePolicy == .setErrorAndReturn)
        #expect(unarchiver.allowedClasses?.isEmpty == true)
    }
}
