import Foundation
import KeyedArchive
import Testing

/// A class without a stable name. Each test that sets the name of a class has a class of its own.
private class Plain: NSObject, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) {}
}

private class Renamed: Plain {}
private final class RenamedChild: Renamed {}
private final class Reread: Plain {}
private final class Registered: Plain {}
private final class Aliased: Plain {}
private class NamedOnce: Plain {}
private final class NamedOnceChild: NamedOnce {}

/// Tests of the names of classes in archives.
@Suite("Names of classes")
struct ClassNamesTests {
    /// Returns `$classes` of the root object.
    private func chain(in data: Data) throws -> [PropertyListValue] {
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects) = tree["$objects"], case .uid(let cls) = objects[1]["$class"],
            case .array(let names) = objects[Int(cls)]["$classes"], names.first == objects[Int(cls)]["$classname"]
        else { return [] }
        return names
    }

    /// Returns the class names between those of the object and of `NSObject`, inclusive, for the test's own classes.
    private func names(_ names: String...) -> [PropertyListValue] {
        (names + ["KeyedArchiveTests.Plain", "NSObject"]).map { .string($0) }
    }

    private func refusal<Object: NSObject & NSCoding>(_ cls: Object.Type, _ data: Data) -> ArchiveError.Code? {
        code { try KeyedUnarchiver.unarchivedObject(ofClass: cls, from: data) }
    }

    @Test("A name that is set for all archives, changed and removed takes effect in the next archive each time")
    func renamed() throws {
        let (own, ownChild) = ("KeyedArchiveTests.Renamed", "KeyedArchiveTests.RenamedChild")
        let before = try chain(in: archived(RenamedChild()))
        #expect(before == names(ownChild, own))
        for name in ["First name", "Second name"] {
            KeyedArchiver.setClassName(name, for: Renamed.self)
            let isSet = KeyedArchiver.className(for: Renamed.self)
            #expect(isSet == name)
            let parent = try chain(in: archived(Renamed()))
            #expect(parent == names(name))
            let child = try chain(in: archived(RenamedChild()))
            #expect(child == names(ownChild, name))
        }
        KeyedArchiver.setClassName(nil, for: Renamed.self)
        let removed = KeyedArchiver.className(for: Renamed.self)
        #expect(removed == nil)
        let after = try chain(in: archived(RenamedChild()))
        #expect(after == names(ownChild, own))
    }

    @Test("A class is read under the name that it has at the time")
    func reread() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("Name to read", for: Reread.self)
        archiver.encode(Reread(), forKey: "root")
        let data = archiver.encodedData
        #expect(refusal(Reread.self, data) == .classNotAllowed)
        KeyedArchiver.setClassName("Name to read", for: Reread.self)
        #expect(refusal(Reread.self, data) == nil)
        KeyedArchiver.setClassName("Another name to read", for: Reread.self)
        #expect(refusal(Reread.self, data) == .classNotAllowed)
        KeyedArchiver.setClassName("Name to read", for: Reread.self)
        #expect(refusal(Reread.self, data) == nil)
        KeyedArchiver.setClassName(nil, for: Reread.self)
        #expect(refusal(Reread.self, data) == .classNotAllowed)
    }

    @Test("Without secure coding a class is read where none is named while it has a name, and not afterwards")
    func registered() throws {
        func read(_ data: Data) throws -> (object: Any?, error: ArchiveError?) {
            let unarchiver = try KeyedUnarchiver(forReadingFrom: data)
            unarchiver.requiresSecureCoding = false
            return (unarchiver.decodeObject(forKey: "root"), unarchiver.error as? ArchiveError)
        }
        let before = try read(archived(Registered()))
        #expect(before.error?.code == .classNotAllowed)
        KeyedArchiver.setClassName("Registered name", for: Registered.self)
        let named = try read(archived(Registered()))
        #expect(named.object is Registered)
        #expect(named.error == nil)
        KeyedArchiver.setClassName(nil, for: Registered.self)
        let after = try read(archived(Registered()))
        #expect(after.object == nil)
        #expect(after.error?.code == .classNotAllowed)
        #expect(after.error?.kind == "KeyedArchiveTests.Registered")
    }

    @Test("A class that is set for a name in all archives is read under it until it is removed")
    func aliased() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("Alias", for: Aliased.self)
        archiver.encode(Aliased(), forKey: "root")
        let data = archiver.encodedData
        #expect(refusal(Aliased.self, data) == .classNotAllowed)
        KeyedUnarchiver.setClass(Aliased.self, forClassName: "Alias")
        let isSet = KeyedUnarchiver.class(forClassName: "Alias").map { ObjectIdentifier($0) }
        #expect(isSet == ObjectIdentifier(Aliased.self))
        #expect(refusal(Aliased.self, data) == nil)
        // The class must still be allowed.
        #expect(refusal(Registered.self, data) == .classNotAllowed)
        KeyedUnarchiver.setClass(nil, forClassName: "Alias")
        let isRemoved = KeyedUnarchiver.class(forClassName: "Alias") == nil
        #expect(isRemoved)
        #expect(refusal(Aliased.self, data) == .classNotAllowed)
    }

    @Test("A name or class that is set for one archive has no effect on others, and none after it was removed")
    func oneArchive() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.setClassName("Once", for: NamedOnce.self)
        let isSet = archiver.className(for: NamedOnce.self)
        #expect(isSet == "Once")
        let ofChild = archiver.className(for: NamedOnceChild.self)
        #expect(ofChild == nil)
        archiver.encode(NamedOnceChild(), forKey: "root")
        let named = archiver.encodedData
        let chainWithName = try chain(in: named)
        #expect(chainWithName == names("KeyedArchiveTests.NamedOnceChild", "Once"))
        let elsewhere = try chain(in: archived(NamedOnceChild()))
        #expect(elsewhere == names("KeyedArchiveTests.NamedOnceChild", "KeyedArchiveTests.NamedOnce"))

        let second = KeyedArchiver(requiringSecureCoding: true)
        second.setClassName("Once", for: NamedOnce.self)
        second.setClassName(nil, for: NamedOnce.self)
        let isRemoved = second.className(for: NamedOnce.self)
        #expect(isRemoved == nil)
        second.encode(NamedOnce(), forKey: "root")
        let chainWithoutName = try chain(in: second.encodedData)
        #expect(chainWithoutName == names("KeyedArchiveTests.NamedOnce"))

        let unarchiver = try KeyedUnarchiver(forReadingFrom: named)
        unarchiver.setClass(NamedOnce.self, forClassName: "KeyedArchiveTests.NamedOnceChild")
        let cls = unarchiver.class(forClassName: "KeyedArchiveTests.NamedOnceChild").map { ObjectIdentifier($0) }
        #expect(cls == ObjectIdentifier(NamedOnce.self))
        let inAll = KeyedUnarchiver.class(forClassName: "KeyedArchiveTests.NamedOnceChild") == nil
        #expect(inAll)
        let read = unarchiver.decodeObject(of: NamedOnce.self, forKey: "root")
        let type = read.map { ObjectIdentifier(Swift.type(of: $0)) }
        #expect(type == ObjectIdentifier(NamedOnce.self))
        unarchiver.setClass(nil, forClassName: "KeyedArchiveTests.NamedOnceChild")
        let isClassRemoved = unarchiver.class(forClassName: "KeyedArchiveTests.NamedOnceChild") == nil
        #expect(isClassRemoved)
    }
}
