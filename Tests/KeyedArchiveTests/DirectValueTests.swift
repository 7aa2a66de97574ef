import Foundation
import Testing

@testable import KeyedArchive

/// Tests of the numbers, texts and arrays that a coder reads in one step.
@Suite("Values read in one step")
struct DirectValueTests {
    /// Returns a reader of an archive with one plain value under “key”.
    private func unarchiver(_ value: PropertyListValue) throws -> KeyedUnarchiver {
        let data = try PropertyListValue.dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["key": value]), "$objects": .array([.string("$null")]),
        ]).binaryData()
        return try KeyedUnarchiver(forReadingFrom: data)
    }

    private func isMismatch(_ unarchiver: KeyedUnarchiver) -> Bool {
        let error = unarchiver.error as? ArchiveError
        return error?.code == .typeMismatch && error?.keyPath == "key"
    }

    static let flagCases: [(PropertyListValue, Bool, Bool)] = [
        (.boolean(true), true, true), (.boolean(false), false, true), (.integer(1), true, true),
        (.integer(0), false, true), (.integer(2), false, false), (.integer(-1), false, false),
        (.real(1), false, false), (.unsigned(.max), false, false), (.string("1"), false, false),
    ]

    @Test("A Boolean value is one, 0 or 1; every other value is an error", arguments: flagCases)
    func booleans(_ value: PropertyListValue, _ expected: Bool, _ isValid: Bool) throws {
        let unarchiver = try unarchiver(value)
        let flag = unarchiver.decodeBool(forKey: "key")
        #expect(flag == expected)
        #expect(isMismatch(unarchiver) == !isValid)
        #expect((unarchiver.error == nil) == isValid)
    }

    static let integerCases: [(PropertyListValue, Int64, Bool)] = [
        (.integer(.max), .max, true), (.integer(.min), .min, true), (.integer(-1), -1, true),
        (.boolean(true), 1, true), (.boolean(false), 0, true), (.unsigned(.max), 0, false), (.real(1), 0, false),
        (.float(1), 0, false), (.data(Data([1])), 0, false),
    ]

    @Test("An integer is one or a Boolean value; every other value is an error", arguments: integerCases)
    func integers(_ value: PropertyListValue, _ expected: Int64, _ isValid: Bool) throws {
        let unarchiver = try unarchiver(value)
        let number = unarchiver.decodeInt64(forKey: "key")
        #expect(number == expected)
        #expect(isMismatch(unarchiver) == !isValid)
        let sameArchive = try self.unarchiver(value)
        let integer = sameArchive.decodeInteger(forKey: "key")
        #expect(integer == Int(expected))
    }

    @Test(
        "An integer of 32 bits is read from its smallest to its largest, one beyond is an error",
        arguments: [
            (Int64(Int32.max), true), (Int64(Int32.min), true), (0, true), (Int64(Int32.max) + 1, false),
            (Int64(Int32.min) - 1, false), (Int64.max, false),
        ])
    func narrow(_ value: Int64, _ isValid: Bool) throws {
        let unarchiver = try unarchiver(.integer(value))
        let number = unarchiver.decodeInt32(forKey: "key")
        #expect(Int64(number) == (isValid ? value : 0))
        #expect(isMismatch(unarchiver) == !isValid)
        let sameArchive = try self.unarchiver(.integer(value))
        let same = sameArchive.decodeCInt(forKey: "key")
        #expect(same == number)
    }

    static let numberCases: [(PropertyListValue, Double, Bool)] = [
        (.real(0.1), 0.1, true), (.float(0.5), 0.5, true), (.integer(-3), -3, true),
        (.unsigned(.max), Double(UInt64.max), true), (.boolean(true), 0, false), (.string("1"), 0, false),
    ]

    @Test(
        "A number of any kind is read as a floating-point number; every other value is an error",
        arguments: numberCases)
    func numbers(_ value: PropertyListValue, _ expected: Double, _ isValid: Bool) throws {
        let unarchiver = try unarchiver(value)
        let number = unarchiver.decodeDouble(forKey: "key")
        #expect(number == expected)
        #expect(isMismatch(unarchiver) == !isValid)
        let sameArchive = try self.unarchiver(value)
        let float = sameArchive.decodeFloat(forKey: "key")
        #expect(float == Float(expected))
        #expect(isMismatch(sameArchive) == !isValid)
    }

    @Test("Bytes are read in place; every other value is an error")
    func bytes() throws {
        let data = try unarchiver(.data(Data([1, 2, 3])))
        let bytes = data.withDecodedUnsafeBytes(forKey: "key") { $0.map { Array($0) } }
        #expect(bytes == [1, 2, 3])
        #expect(data.error == nil)
        let text = try unarchiver(.string("text"))
        let none = text.withDecodedUnsafeBytes(forKey: "key") { $0.map { Array($0) } }
        #expect(none == nil)
        #expect(isMismatch(text))
    }

    // MARK: - Costs

    @Test("A text or data of 15 bytes is free; from 16 on its bytes are charged once, however often it is read")
    func bodies() throws {
        for count in [15, 16, 40] {
            let (text, bytes) = (String(repeating: "a", count: count), Data(repeating: 7, count: count))
            let archiver = KeyedArchiver(requiringSecureCoding: true)
            archiver.encode(text, forKey: "text")
            archiver.encode(bytes, forKey: "data")
            let data = archiver.encodedData
            func read(_ key: String, _ copied: Int) throws -> ArchiveError.Code? {
                var limits = ArchiveLimits.standard
                limits.copiedBytes = copied
                let unarchiver = try KeyedUnarchiver(forReadingFrom: data, limits: limits)
                for _ in 0..<4 where unarchiver.error == nil {
                    if key == "text" {
                        let value = unarchiver.decodeString(forKey: key)
                        #expect(value == text || unarchiver.error != nil)
                    } else {
                        let value = unarchiver.decodeData(forKey: key)
                        #expect(value == bytes || unarchiver.error != nil)
                    }
                }
                return (unarchiver.error as? ArchiveError)?.code
            }
            let cost = count > 15 ? count : 0
            for key in ["text", "data"] {
                let exact = try read(key, cost)
                #expect(exact == nil, "\(key) of \(count) bytes")
                guard cost > 0 else { continue }
                let less = try read(key, cost - 1)
                #expect(less == .limitExceeded, "\(key) of \(count) bytes")
            }
        }
    }

    // MARK: - Arrays

    private func unarchiver(ofObjects objects: [String: Any]) throws -> KeyedUnarchiver {
        try SwiftValueTests.unarchiver(objects)
    }

    @Test("Arrays of each plain type are read, mutable or not, as often as requested")
    func arrays() throws {
        let mutable = NSMutableArray(array: [4, 5])
        let unarchiver = try unarchiver(ofObjects: [
            "integers": [1, -2, 300, Int.max, Int.min], "texts": ["a", "Gr\u{FC}\u{DF}e", ""], "numbers": [1.5, -0.25],
            "mixed": [1, 2.5] as [Any], "flags": [true, false], "none": [Int](), "mutable": mutable,
        ])
        for _ in 0..<3 {
            let integers = unarchiver.decodeArray(of: Int.self, forKey: "integers")
            #expect(integers == [1, -2, 300, .max, .min])
            let texts = unarchiver.decodeArray(of: String.self, forKey: "texts")
            #expect(texts == ["a", "Gr\u{FC}\u{DF}e", ""])
            let numbers = unarchiver.decodeArray(of: Double.self, forKey: "numbers")
            #expect(numbers == [1.5, -0.25])
            let mixed = unarchiver.decodeArray(of: Double.self, forKey: "mixed")
            #expect(mixed == [1, 2.5])
            let flags = unarchiver.decodeArray(of: Bool.self, forKey: "flags")
            #expect(flags == [true, false])
            let none = unarchiver.decodeArray(of: Int.self, forKey: "none")
            #expect(none == [])
            let ofMutable = unarchiver.decodeArray(of: Int.self, forKey: "mutable")
            #expect(ofMutable == [4, 5])
        }
        let missing = unarchiver.decodeArray(of: Int.self, forKey: "missing")
        #expect(missing == nil)
        #expect(unarchiver.error == nil)
    }

    @Test("An element of another type is an error with its position", arguments: ["Int", "String", "Double", "Bool"])
    func elements(_ type: String) throws {
        let lists: [String: [Any]] = [
            "Int": [1, "a"], "String": ["a", 1], "Double": [1.5, "a"], "Bool": [true, 1],
        ]
        let list = try #require(lists[type])
        let unarchiver = try unarchiver(ofObjects: ["list": list])
        let isNil =
            switch type {
            case "Int": unarchiver.decodeArray(of: Int.self, forKey: "list") == nil
            case "String": unarchiver.decodeArray(of: String.self, forKey: "list") == nil
            case "Double": unarchiver.decodeArray(of: Double.self, forKey: "list") == nil
            default: unarchiver.decodeArray(of: Bool.self, forKey: "list") == nil
            }
        #expect(isNil)
        let error = unarchiver.error as? ArchiveError
        #expect(error?.code == .typeMismatch)
        #expect(error?.detail == "not \(type)")
        #expect(error?.keyPath == "list.NS.objects[1]")
    }

    @Test("Only an array is read as an array")
    func notArrays() throws {
        let objects: [Any] = ["a", ["k": 1], Set([1]), Date(timeIntervalSinceReferenceDate: 5)]
        for object in objects {
            let unarchiver = try unarchiver(ofObjects: ["key": object])
            let numbers = unarchiver.decodeArray(of: Int.self, forKey: "key")
            #expect(numbers == nil)
            #expect(isMismatch(unarchiver), "\(type(of: object))")
        }
    }

    @Test("A text is read from each string class, and from no other class")
    func texts() throws {
        let mutable = NSMutableString(string: "mutable")
        let unarchiver = try unarchiver(ofObjects: ["text": "text", "mutable": mutable, "key": Data([1])])
        let text = unarchiver.decodeString(forKey: "text")
        #expect(text == "text")
        let ofMutable = unarchiver.decodeString(forKey: "mutable")
        #expect(ofMutable == "mutable")
        #expect(unarchiver.error == nil)
        let none = unarchiver.decodeString(forKey: "key")
        #expect(none == nil)
        #expect(isMismatch(unarchiver))
        let record = PropertyListValue.dictionary(["$class": .uid(2), "NS.string": .string("x")])
        let object = try KeyedUnarchiver(forReadingFrom: handmade([record, classObject("NSString")]))
        let ofObject = object.decodeString(forKey: "root")
        #expect(ofObject == "x")
        let ofData = try KeyedUnarchiver(forReadingFrom: handmade([record, classObject("NSData")]))
        let noText = ofData.decodeString(forKey: "root")
        #expect(noText == nil)
        #expect((ofData.error as? ArchiveError)?.code == .typeMismatch)
    }

    /// Returns a text in place of each course.
    private final class Replacing: KeyedUnarchiverDelegate {
        func unarchiver(_ unarchiver: KeyedUnarchiver, didDecode object: Any?) -> Any? {
            guard object is Course else { return object }
            return NSString(string: "text")
        }
    }

    @Test("The elements of an array may be of classes derived from the wanted one, but of no others")
    func derivedElements() throws {
        let texts = [NSMutableString(string: "a"), NSMutableString(string: "b")]
        let derived = try unarchiver(ofObjects: ["list": texts])
        let list = derived.decodeArrayOfObjects(ofClass: NSString.self, forKey: "list")
        #expect(list?.map(\.description) == ["a", "b"])
        #expect(derived.error == nil)
        let replaced = try unarchiver(ofObjects: ["list": [Course(title: "a")]])
        let delegate = Replacing()
        replaced.delegate = delegate
        let none = withExtendedLifetime(delegate) {
            replaced.decodeArrayOfObjects(ofClass: Course.self, forKey: "list")
        }
        #expect(none == nil)
        let error = replaced.error as? ArchiveError
        #expect(error?.code == .typeMismatch)
        #expect(error?.detail == "not Course")
        #expect(error?.keyPath == "list")
    }

    @Test("Long data that is read several times is stored once, from the second time on")
    func sharedData() throws {
        let unarchiver = try unarchiver(ofObjects: ["data": Data(repeating: 7, count: 1000)])
        let copies = (0..<4).compactMap { _ in unarchiver.decodeData(forKey: "data") }
        let addresses = copies.map { copy in copy.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
        #expect(copies == Array(repeating: Data(repeating: 7, count: 1000), count: 4))
        #expect(addresses.count == 4)
        let different = Set(addresses.dropFirst()).count
        #expect(different == 1)
    }

    @Test("Data may be stored under its key directly or, as in old archives, through a reference")
    func referencedData() throws {
        let bytes = Data([1, 2, 3])
        for isDirect in [true, false] {
            let field: PropertyListValue = isDirect ? .data(bytes) : .uid(3)
            let data = try handmade([
                .dictionary(["$class": .uid(2), "NS.data": field]), classObject("NSMutableData"), .data(bytes),
            ])
            let object = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: data) as? NSMutableData
            let read = object.map { Data(bytes: $0.bytes, count: $0.length) }
            #expect(read == bytes)
            let tree = try PropertyListValue(archive: data)
            #expect(tree == .data(bytes))
        }
    }
}
