import Foundation
import Testing

@testable import KeyedArchive

/// A class whose objects may be archived, but not where secure coding is required.
private class Insecure: NSObject, NSCoding {
    override init() { super.init() }
    required init?(coder: NSCoder) { super.init() }
    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}

private final class DeclinesSecureCoding: Insecure, NSSecureCoding {
    static var supportsSecureCoding: Bool { false }
}

private final class AllowsSecureCoding: Insecure, NSSecureCoding {
    static var supportsSecureCoding: Bool { true }
}

/// Tests of where an archiver stops.
@Suite("Limits of writing")
struct ArchiverLimitTests {
    private func archiver(_ lower: (inout ArchiveLimits) -> Void) -> KeyedArchiver {
        var limits = ArchiveLimits.standard
        lower(&limits)
        return KeyedArchiver(requiringSecureCoding: true, limits: limits)
    }

    @Test("The first element beyond the limit of objects is refused at once, with its path", arguments: 0..<5)
    func objects(_ form: Int) {
        // “$null” and the collection are the first two objects.
        let archiver = archiver { $0.objects = 10 }
        let numbers = Array(100..<120)
        let texts = numbers.map { "text \($0)" }
        var path = "root.NS.objects[8]"
        switch form {
        case 0: archiver.encode(numbers, forKey: "root")
        case 1: archiver.encode(texts, forKey: "root")
        case 2: archiver.encode(texts as [Any], forKey: "root")
        case 3: archiver.encode(PropertyListValue.array(numbers.map { .integer(Int64($0)) }), forKey: "root")
        default:
            archiver.encode(Dictionary(uniqueKeysWithValues: texts.map { ($0, $0) }), forKey: "root")
            path = "root.NS.keys[8]"
        }
        let error = archiver.error as? ArchiveError
        #expect(error?.code == .limitExceeded)
        #expect(error?.detail == "more than 67108864 bytes or 10 objects")
        #expect(error?.keyPath == path)
        #expect(archiver.encodedData == Data())
    }

    @Test("A value that is written already is no further object")
    func known() {
        let archiver = archiver { $0.objects = 10 }
        archiver.encode(Array(repeating: 5, count: 1000), forKey: "numbers")
        archiver.encode(Array(repeating: "text", count: 1000), forKey: "texts")
        #expect(archiver.error == nil)
    }

    @Test("A text or data of as many bytes as the limit is written, one byte more is refused at once, with its key")
    func bytes() {
        // “$null” takes six bytes, and a longer text or data three besides its own.
        func error(_ limit: Int, _ object: Any) -> ArchiveError? {
            let archiver = archiver { $0.bytes = limit }
            archiver.encode(object, forKey: "key")
            return archiver.error as? ArchiveError
        }
        for object in [String(repeating: "a", count: 100) as Any, Data(count: 100)] {
            let exact = error(109, object)
            #expect(exact == nil)
            let less = error(108, object)
            #expect(less == ArchiveError(.limitExceeded, "more than 108 bytes or 4194304 objects", keyPath: "key"))
        }
        // Long data is only counted with its own bytes yet.
        let body = error(2006, Data(count: 2000))
        #expect(body == nil)
        let lessThanBody = error(2005, Data(count: 2000))
        #expect(lessThanBody?.code == .limitExceeded)
        #expect(lessThanBody?.keyPath == "key")
    }

    @Test("A file exactly as large as the limits is written, and read with the same limits; a larger one is refused")
    func file() throws {
        let tree = PropertyListValue.array([.string("text"), .dictionary(["k": .data(Data(count: 2000))])])
        let forms: [(String, (ArchiveLimits) throws -> Data, (Data, ArchiveLimits) throws -> PropertyListValue)] = [
            ("list", { try tree.binaryData(limits: $0) }, { try PropertyListValue(binary: $0, limits: $1) }),
            ("archive", { try tree.archivedData(limits: $0) }, { try PropertyListValue(archive: $0, limits: $1) }),
        ]
        for (name, write, read) in forms {
            let data = try write(.standard)
            // The trailer holds the number of objects.
            let objects = data.suffix(24).prefix(8).reduce(0) { $0 << 8 | Int($1) }
            var limits = ArchiveLimits.standard
            (limits.bytes, limits.objects) = (data.count, objects)
            let exact = try write(limits)
            #expect(exact == data, "\(name)")
            let came = try read(exact, limits)
            #expect(came == tree, "\(name)")
            limits.bytes -= 1
            let shorter = limits
            let longer = #expect(throws: ArchiveError.self) { try write(shorter) }
            #expect(longer?.detail == "\(data.count) bytes; the limit is \(data.count - 1)", "\(name)")
            (limits.bytes, limits.objects) = (data.count, objects - 1)
            let fewer = limits
            let more = #expect(throws: ArchiveError.self) { try write(fewer) }
            #expect(more?.code == .limitExceeded, "\(name)")
        }
    }

    @Test("Trees nested exactly to the limit are archived, one level more is refused with its path", arguments: [1, 3])
    func depth(_ depth: Int) {
        func error(_ levels: Int) -> ArchiveError? {
            var tree = PropertyListValue.dictionary([:])
            for _ in 1..<levels { tree = .dictionary(["k": tree]) }
            var limits = ArchiveLimits.standard
            limits.depth = depth
            do {
                _ = try tree.archivedData(limits: limits)
                return nil
            } catch {
                return error
            }
        }
        let exact = error(depth)
        #expect(exact == nil)
        let deeper = error(depth + 1)
        #expect(deeper?.code == .limitExceeded)
        #expect(deeper?.detail == "nested deeper than \(depth)")
        let path = Array(repeating: ".NS.objects[0]", count: depth).joined()
        #expect(deeper?.keyPath == "root" + path)
    }

    @Test("With secure coding only objects of classes that support it are archived, without it all that can be")
    func secureCoding() throws {
        for object in [Insecure(), DeclinesSecureCoding()] {
            let error = #expect(throws: ArchiveError.self) {
                try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            }
            let expected = ArchiveError(
                .classNotAllowed, "does not support secure coding", kind: "\(type(of: object))", keyPath: "root")
            #expect(error == expected)
            let data = try KeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
            #expect(!data.isEmpty)
        }
        let allowed = try KeyedArchiver.archivedData(withRootObject: AllowsSecureCoding(), requiringSecureCoding: true)
        #expect(!allowed.isEmpty)
    }

    @Test("The requirement of secure coding can be changed, and is in force from then on")
    func changedRequirement() {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        #expect(archiver.requiresSecureCoding)
        archiver.requiresSecureCoding = false
        #expect(!archiver.requiresSecureCoding)
        archiver.encode(Insecure(), forKey: "first")
        #expect(archiver.error == nil)
        archiver.requiresSecureCoding = true
        archiver.encode(Insecure(), forKey: "second")
        #expect((archiver.error as? ArchiveError)?.code == .classNotAllowed)
        #expect((archiver.error as? ArchiveError)?.keyPath == "second")
    }

    @Test("No bytes are written as empty data, and a finished archive stays as it is")
    func finished() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        let bytes: [UInt8] = [1, 2, 3]
        archiver.encodeBytes(nil, length: 5, forKey: "none")
        archiver.encodeBytes(bytes, length: 2, forKey: "two")
        archiver.finishEncoding()
        let data = archiver.encodedData
        archiver.finishEncoding()
        #expect(archiver.encodedData == data)
        #expect(archiver.error == nil)
        let tree = try PropertyListValue(binary: data)
        #expect(tree["$top"] == .dictionary(["none": .data(Data()), "two": .data(Data([1, 2]))]))
    }
}
