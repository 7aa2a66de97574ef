import Foundation
import Testing

@testable import KeyedArchive

/// A class that encodes one of its keys twice.
private final class Twice: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) {
        coder.encode(1, forKey: "key")
        coder.encode(2, forKey: "other")
        coder.encode(3, forKey: "key")
    }
}

private class Shown: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}

/// A class whose objects are archived as those of another one.
private final class Hidden: Shown {
    override var classForKeyedArchiver: AnyClass? { Shown.self }
}

/// Tests of what an archiver keeps between the objects that it writes.
@Suite("State of an archiver")
struct ArchiverStateTests {
    private struct Refusal: Error {}

    private func records(_ data: Data) throws -> [PropertyListValue] {
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects)? = tree["$objects"] else { return [] }
        return objects
    }

    @Test("The first error that a class passes stays, and nothing is encoded afterwards")
    func ownErrors() {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode("early", forKey: "early")
        archiver.failWithError(Refusal())
        let first = archiver.error as? ArchiveError
        #expect(first == ArchiveError(.unsupportedValue, "Refusal()"))
        archiver.failWithError(ArchiveError(.cycle, "later"))
        archiver.encode("late", forKey: "late")
        let second = archiver.error as? ArchiveError
        #expect(second == first)
        #expect(archiver.encodedData == Data())
        let other = KeyedArchiver(requiringSecureCoding: true)
        let error = ArchiveError(.cycle, "mine", kind: "kind", keyPath: "a.b")
        other.failWithError(error)
        let kept = other.error as? ArchiveError
        #expect(kept == error)
    }

    @Test("A conditional reference to a value is written like one to nil")
    func conditionalValue() {
        let (value, none) = (KeyedArchiver(requiringSecureCoding: true), KeyedArchiver(requiringSecureCoding: true))
        value.encodeConditionalObject("text", forKey: "key")
        none.encode(nil, forKey: "key")
        #expect(value.error == nil)
        #expect(value.encodedData == none.encodedData)
    }

    @Test("A conditional reference to any null is completed when that null is encoded", arguments: [true, false])
    func conditionalNull(_ isEarly: Bool) throws {
        let null = NSNull()
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        if isEarly { archiver.encodeConditionalObject(null, forKey: "conditional") }
        archiver.encode(null, forKey: "object")
        if !isEarly { archiver.encodeConditionalObject(null, forKey: "conditional") }
        let tree = try PropertyListValue(binary: archiver.encodedData)
        #expect(tree["$top"] == .dictionary(["conditional": .uid(1), "object": .uid(1)]))
    }

    @Test("An object that encodes a key twice is written with the last value")
    func repeatedKey() throws {
        let objects = try records(archived(Twice()))
        let expected: [String: PropertyListValue] = [
            "key": .integer(3), "other": .integer(2), "$class": .uid(2),
        ]
        #expect(objects.count == 3)
        #expect(objects.dropFirst().first == .dictionary(expected))
    }

    @Test("Each class is described once, however many of its objects are written")
    func classes() throws {
        let dates = (0..<3).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        let list: [Any] = [Course(title: "a"), Course(title: "b"), Course(title: "c"), dates[0], dates[1], dates[2]]
        let names = try records(archived(list)).compactMap { $0["$classname"] }
        #expect(names == [.string("Course"), .string("NSDate"), .string("NSArray")])
    }

    @Test("An object is written under the class that it chooses")
    func chosenClass() throws {
        for list in [[Hidden(), Shown()], [Shown(), Hidden()], [Hidden(), Hidden()]] {
            let names = try records(archived(list)).compactMap { $0["$classname"] }
            #expect(names == [.string("KeyedArchiveTests.Shown"), .string("NSArray")])
        }
    }

    /// Replaces each link by a new course.
    private final class Substitute: KeyedArchiverDelegate {
        private var count = 0
        func archiver(_ archiver: KeyedArchiver, willEncode object: Any) -> Any? {
            guard object is Link else { return object }
            count += 1
            return Course(title: "course \(count)")
        }
    }

    @Test("New objects in place of others are written each with its own contents")
    func replacements() throws {
        let substitute = Substitute()
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.delegate = substitute
        withExtendedLifetime(substitute) {
            for number in 1...50 { archiver.encode(Link(), forKey: "\(number)") }
        }
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        for number in 1...50 {
            let course = unarchiver.decodeObject(of: Course.self, forKey: "\(number)")
            #expect(course?.title == "course \(number)")
        }
        #expect(unarchiver.error == nil)
    }

    @Test("The first object beyond the limit is refused at once, with its path")
    func objects() {
        var limits = ArchiveLimits.standard
        limits.objects = 10
        // “$null”, the list, the title, the class and six objects.
        let archiver = KeyedArchiver(requiringSecureCoding: true, limits: limits)
        archiver.encode((0..<12).map { _ in Course(title: "a") }, forKey: "root")
        let expected = ArchiveError(
            .limitExceeded, "more than 67108864 bytes or 10 objects", keyPath: "root.NS.objects[6]")
        let error = archiver.error as? ArchiveError
        #expect(error == expected)
        let fewer = KeyedArchiver(requiringSecureCoding: true, limits: limits)
        fewer.encode((0..<6).map { _ in Course(title: "a") }, forKey: "root")
        fewer.finishEncoding()
        #expect((fewer.error as? ArchiveError)?.detail.hasSuffix("objects; the limit is 10") == true)
    }
}
