import Foundation
import Testing

@testable import KeyedArchive

/// A class that keeps the coder that it was read with.
private final class Keeper: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    let coder: NSCoder?
    override init() {
        coder = nil
        super.init()
    }
    required init?(coder: NSCoder) {
        self.coder = coder
        super.init()
    }
    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}

/// Tests of objects that are read again, and of coders after an error or after their use.
@Suite("Reading objects again")
struct ObjectDecoderTests {
    private struct First: Error {}
    private struct Second: Error {}

    /// Returns a reader of an archive with two references to one object.
    private func twice() throws -> KeyedUnarchiver {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        let course = Course(title: "Suppe")
        archiver.encode(course, forKey: "first")
        archiver.encode(course, forKey: "second")
        return try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
    }

    @Test("An object that was read before is refused under another key where its class is not allowed")
    func refusedAgain() throws {
        let unarchiver = try twice()
        let first = unarchiver.decodeObject(of: Course.self, forKey: "first")
        #expect(first?.title == "Suppe")
        let second = unarchiver.decodeObject(of: [Meal.self, NSString.self], forKey: "second")
        #expect(second == nil)
        let error = unarchiver.error as? ArchiveError
        #expect(error?.code == .classNotAllowed)
        #expect(error?.kind == "Course")
        #expect(error?.keyPath == "second")
    }

    @Test("An object that was read before is the same object wherever its class or an ancestor is allowed")
    func allowedAgain() throws {
        let unarchiver = try twice()
        let first = unarchiver.decodeObject(of: Course.self, forKey: "first")
        let second = unarchiver.decodeObject(of: [Meal.self, Course.self], forKey: "second") as? Course
        #expect(first === second)
        let third = unarchiver.decodeObject(of: [NSObject.self], forKey: "first") as? Course
        #expect(first === third)
        #expect(first?.title == "Suppe")
        #expect(unarchiver.error == nil)
    }

    @Test("An object of an unknown class is read again as the same object, whatever is allowed")
    func unknownAgain() throws {
        let data = try handmade([
            .dictionary(["$class": .uid(2), "NS.objects": .array([.uid(3), .uid(3)])]), classObject("NSArray"),
            .dictionary(["$class": .uid(4), "number": .integer(5)]), classObject("Theirs"),
        ])
        let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
        unarchiver.decodesUnknownClasses = true
        let list = unarchiver.decodeObject(of: NSArray.self, forKey: "root")
        let elements = list.map { StoredObjects.of($0).compactMap { $0 as? ArchivedObject } } ?? []
        #expect(elements.count == 2)
        #expect(elements.first === elements.last)
        #expect(elements.first?.values["number"] as? Int == 5)
        #expect(unarchiver.error == nil)
    }

    @Test("A coder that a class keeps reads nothing after the archive was read")
    func kept() throws {
        let data = try archived(Keeper())
        let keeper = try KeyedUnarchiver.unarchivedObject(ofClass: Keeper.self, from: data)
        let coder = try #require(keeper?.coder)
        let number = coder.decodeInteger(forKey: "number")
        #expect(number == 0)
        let contains = coder.containsValue(forKey: "number")
        #expect(!contains)
        #expect(coder.error as? ArchiveError == ArchiveError(.notKeyedArchive, "used after decoding finished"))
    }

    @Test("A coder that the elements of an array keep reads nothing after the array was read")
    func keptByElements() throws {
        let data = try archived([Keeper(), Keeper()])
        let keepers = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Keeper.self, from: data)
        #expect(keepers?.count == 2)
        for keeper in keepers ?? [] {
            let coder = try #require(keeper.coder)
            let number = coder.decodeInteger(forKey: "number")
            #expect(number == 0)
            #expect((coder.error as? ArchiveError)?.code == .notKeyedArchive)
        }
    }

    @Test("An error that a class passes is the coder's error, and later ones change nothing")
    func ownErrors() throws {
        let unarchiver = try twice()
        unarchiver.failWithError(First())
        unarchiver.failWithError(Second())
        unarchiver.failWithError(ArchiveError(.cycle, "later"))
        #expect(unarchiver.error is First)
        let course = unarchiver.decodeObject(of: Course.self, forKey: "first")
        #expect(course == nil)
        let contains = unarchiver.containsValue(forKey: "first")
        #expect(!contains)
        #expect(unarchiver.error is First)
    }

    @Test("After an error of the archive every value is nil or zero, and the error stays")
    func firstError() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode("text", forKey: "text")
        archiver.encode(7, forKey: "number")
        archiver.encode(true, forKey: "flag")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let mismatch = unarchiver.decodeInteger(forKey: "text")
        #expect(mismatch == 0)
        let error = unarchiver.error as? ArchiveError
        #expect(error?.code == .typeMismatch)
        #expect(error?.keyPath == "text")
        #expect(unarchiver.decodeInteger(forKey: "number") == 0)
        #expect(unarchiver.decodeDouble(forKey: "number") == 0)
        #expect(unarchiver.decodeFloat(forKey: "number") == 0)
        #expect(unarchiver.decodeInt32(forKey: "number") == 0)
        #expect(!unarchiver.decodeBool(forKey: "flag"))
        #expect(unarchiver.decodeString(forKey: "text") == nil)
        #expect(unarchiver.decodeObject(of: NSString.self, forKey: "text") == nil)
        #expect(unarchiver.decodeValue(forKey: "text") == nil)
        #expect(!unarchiver.containsValue(forKey: "text"))
        unarchiver.failWithError(Second())
        #expect(unarchiver.error as? ArchiveError == error)
    }

    @Test("An archive without a root is refused by name, one whose root is nil is read as nil")
    func roots() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode(nil, forKey: "root")
        let none = archiver.encodedData
        let object = try KeyedUnarchiver.unarchivedObject(ofClass: Course.self, from: none)
        #expect(object == nil)
        let objects = try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Course.self, from: none)
        #expect(objects == nil)
        let other = KeyedArchiver(requiringSecureCoding: true)
        other.encode(Course(title: "x"), forKey: "other")
        let data = other.encodedData
        let expected = ArchiveError(.missingValue, "“$top” has no “root”")
        let error = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedObject(ofClass: Course.self, from: data)
        }
        #expect(error == expected)
        let errorOfArray = #expect(throws: ArchiveError.self) {
            try KeyedUnarchiver.unarchivedArrayOfObjects(ofClass: Course.self, from: data)
        }
        #expect(errorOfArray == expected)
    }
}
