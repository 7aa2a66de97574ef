import Foundation
import Testing

@testable import KeyedArchive

/// A class that adopts `NSCoding` without deriving from `NSObject`.
private final class Note: NSCoding {
    init() {}
    init?(coder: NSCoder) { return nil }
    func encode(with coder: NSCoder) { coder.encode(5, forKey: "number") }
}

/// A class that cannot be archived.
private final class Bare {}

/// Tests of objects of every kind of class, as values and within collections.
@Suite("Objects that are written")
struct ArchiverObjectTests {
    private func records(_ data: Data) throws -> [PropertyListValue] {
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects)? = tree["$objects"] else { return [] }
        return objects
    }

    @Test("An object whose class does not derive from NSObject is archived by its own method")
    func ownClasses() throws {
        let data = try KeyedArchiver.archivedData(withRootObject: Note(), requiringSecureCoding: false)
        let objects = try records(data)
        #expect(objects.count == 3)
        #expect(objects.dropFirst().first == .dictionary(["number": .integer(5), "$class": .uid(2)]))
        let error = #expect(throws: ArchiveError.self) {
            try KeyedArchiver.archivedData(withRootObject: Note(), requiringSecureCoding: true)
        }
        let expected = ArchiveError(.classNotAllowed, "does not support secure coding", kind: "Note", keyPath: "root")
        #expect(error == expected)
    }

    @Test("An object of such a class is written once, however often it is encoded")
    func once() throws {
        let note = Note()
        let archiver = KeyedArchiver(requiringSecureCoding: false)
        archiver.encode(note, forKey: "first")
        archiver.encode(note, forKey: "second")
        archiver.encode([note, note], forKey: "list")
        archiver.encode(Note(), forKey: "other")
        let data = archiver.encodedData
        #expect(archiver.error == nil)
        let tree = try PropertyListValue(binary: data)
        #expect(tree["$top"]?["first"] == .uid(1))
        #expect(tree["$top"]?["second"] == .uid(1))
        let objects = try records(data)
        let notes = objects.filter { $0["number"] != nil }.count
        #expect(notes == 2)
        let list = objects.compactMap { $0["NS.objects"] }
        #expect(list == [.array([.uid(1), .uid(1)])])
    }

    @Test("An object of a class that does not adopt NSCoding is refused with its class and key")
    func bare() {
        let error = #expect(throws: ArchiveError.self) {
            try KeyedArchiver.archivedData(withRootObject: Bare(), requiringSecureCoding: false)
        }
        let expected = ArchiveError(.unsupportedValue, "does not adopt NSCoding", kind: "Bare", keyPath: "root")
        #expect(error == expected)
    }

    /// Objects that are archived in place, like the Swift values that they resemble.
    private var objectsInPlace: [(String, NSObject, PropertyListValue)] {
        [
            ("text", NSString(string: "Suppe"), .string("Suppe")),
            ("data", NSData(data: Data([1, 2, 3])), .data(Data([1, 2, 3]))),
            ("integer", NSNumber(value: 5000), .integer(5000)), ("number", NSNumber(value: 0.25), .real(0.25)),
        ]
    }

    @Test("A conditional reference to a text, data or number object is completed when that object is encoded")
    func conditional() throws {
        for (name, object, value) in objectsInPlace {
            for isEarly in [true, false] {
                let archiver = KeyedArchiver(requiringSecureCoding: true)
                if isEarly { archiver.encodeConditionalObject(object, forKey: "conditional") }
                archiver.encode(object, forKey: "object")
                if !isEarly { archiver.encodeConditionalObject(object, forKey: "conditional") }
                let tree = try PropertyListValue(binary: archiver.encodedData)
                #expect(tree["$top"]?["object"] == .uid(1), "\(name)")
                #expect(tree["$top"]?["conditional"] == .uid(1), "\(name)")
                let objects = try records(archiver.encodedData)
                #expect(objects == [.string("$null"), value], "\(name)")
            }
        }
    }

    @Test("A number is written alike whatever it is in: a value, an object, an Any, a list or a dictionary")
    func numbers() throws {
        for number in [0.1, 1e300, -2.5, 5] as [Double] {
            let forms: [Any] = [number, NSNumber(value: number), [number], [number] as [Any], ["k": number]]
            for form in forms {
                let data = try archived(form)
                let objects = try records(data)
                let reals = objects.compactMap { object -> Double? in
                    guard case .real(let real) = object else { return nil }
                    return real
                }
                #expect(reals.map(\.bitPattern) == [number.bitPattern], "\(form)")
            }
        }
    }

    @Test("A number, an integer, a flag and a text that look alike stay four values")
    func alike() throws {
        let data = try archived([1.0, 1, true, "1", 1.0, 1, true, "1"] as [Any])
        let objects = try records(data)
        let scalars = objects.dropFirst().filter { $0["NS.objects"] == nil && $0["$classname"] == nil }
        #expect(Array(scalars) == [.real(1), .integer(1), .boolean(true), .string("1")])
    }

    // MARK: - Repeated keys

    /// Returns the top of an archive of some numbers under the keys “k0”, “k1”, …, one of which is then encoded again.
    private func top(_ count: Int, replacing position: Int?) throws -> PropertyListValue? {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        for number in 0..<count { archiver.encode(number, forKey: "k\(number)") }
        if let position { archiver.encode(1000, forKey: "k\(position)") }
        let data = archiver.encodedData
        return try PropertyListValue(binary: data)["$top"]
    }

    @Test("The last value of a repeated key remains, whichever key it is and however many there are", arguments: 1...19)
    func repeated(_ count: Int) throws {
        let numbers = (0..<count).map { ("k\($0)", PropertyListValue.integer(Int64($0))) }
        let entries = Dictionary(uniqueKeysWithValues: numbers)
        let different = try top(count, replacing: nil)
        #expect(different == .dictionary(entries))
        for position in 0..<count {
            var replaced = entries
            replaced["k\(position)"] = .integer(1000)
            let came = try top(count, replacing: position)
            #expect(came == .dictionary(replaced), "key \(position) of \(count)")
        }
    }
}
