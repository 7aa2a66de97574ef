import Foundation
import Testing

@testable import KeyedArchive

@Suite("Codable values")
struct CodableTests {
    private struct Recipe: Codable, Equatable {
        enum Diet: String, Codable { case vegan, any }
        enum Step: Codable, Equatable {
            case wait(seconds: Int)
            case stir
        }

        var name = "Suppe 🥣"
        var rating = 4.5
        var weight: Float = 0.25
        var portions: UInt8 = 3
        var large = UInt64.max
        var least = Int64.min
        var isTested = true
        var added = Date(timeIntervalSinceReferenceDate: 12.5)
        var photo = Data([1, 2, 3])
        var identifier = UUID()
        var source = URL(string: "https://example.org/a?b=c")
        var diet = Diet.vegan
        var steps = [Step.wait(seconds: 5), .stir]
        var amounts: [String: [Int?]] = ["salt": [1, nil, 3], "none": []]
        var note: String?
        var price = Decimal(string: "1.25")
    }

    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try KeyedArchiveDecoder().decode(Value.self, from: KeyedArchiveEncoder().encode(value))
    }

    private func check<Value: Codable & Equatable>(
        _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let read = try roundTrip(value)
        #expect(read == value, sourceLocation: sourceLocation)
    }

    @Test("A structure with all kinds of members survives a round trip")
    func members() throws {
        let recipe = Recipe()
        let read = try roundTrip(recipe)
        #expect(read == recipe)
    }

    @Test("Values without a structure survive a round trip")
    func topLevel() throws {
        try check(7)
        try check("text")
        try check([1.5, -Double.infinity])
        try check(Int?.none)
        try check([String?.none, "$null", nil])
        try check([[[1]], [], [[2, 3]]])
        try check([5: "five"])
        let nan = try roundTrip(Double.nan)
        #expect(nan.isNaN)
    }

    @Test("The archive is one of Foundation's plain classes")
    func shape() throws {
        let data = try KeyedArchiveEncoder().encode(Recipe())
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [
                NSDictionary.self, NSArray.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSNull.self,
            ], from: data)
        let entries = try #require(read as? [String: Any])
        #expect(entries["name"] as? String == "Suppe 🥣")
        #expect(entries["added"] as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
        #expect(entries["photo"] as? Data == Data([1, 2, 3]))
        #expect(entries["isTested"] as? Bool == true)
        #expect((entries["amounts"] as? [String: [Any]])?["salt"]?.count == 3)
        let first = try KeyedArchiveEncoder().encode(Recipe.Step.stir)
        let second = try KeyedArchiveEncoder().encode(Recipe.Step.stir)
        #expect(first == second)
    }

    @Test("Coders accept Codable values next to others")
    func coders() throws {
        let archiver = KeyedArchiver(requiringSecureCoding: true)
        archiver.encode("before", forKey: "text")
        let recipe = Recipe()
        try archiver.encodeEncodable(recipe, forKey: "recipe")
        let unarchiver = try KeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.decodeDecodable(Recipe.self, forKey: "recipe") == recipe)
        #expect(unarchiver.decodeString(forKey: "text") == "before")
        #expect(unarchiver.decodeDecodable(Recipe.self, forKey: "missing") == nil)
        #expect(unarchiver.error == nil)
        #expect(unarchiver.decodeDecodable(Int.self, forKey: "text") == nil)
        #expect(unarchiver.error is DecodingError)
    }

    @Test("Numbers out of range are refused with their key path")
    func numbers() throws {
        let data = try KeyedArchiveEncoder().encode(["a": [1, 300]])
        do {
            _ = try KeyedArchiveDecoder().decode([String: [UInt8]].self, from: data)
            Issue.record("300 was read as a UInt8")
        } catch DecodingError.typeMismatch(_, let context) {
            #expect(context.codingPath.map(\.stringValue) == ["a", "Index 1"])
            #expect(!context.debugDescription.contains("300"))
        }
        let decoder = KeyedArchiveDecoder()
        let three = try decoder.decode(Int.self, from: .real(3))
        #expect(three == 3)
        #expect(throws: DecodingError.self) { try decoder.decode(Int.self, from: .real(3.5)) }
        #expect(throws: DecodingError.self) { try decoder.decode(Bool.self, from: .integer(1)) }
        #expect(throws: DecodingError.self) { try decoder.decode(Float.self, from: .real(1e300)) }
        let largest = try decoder.decode(Double.self, from: .unsigned(.max))
        #expect(largest == Double(UInt64.max))
        #expect(throws: DecodingError.self) { try decoder.decode(String.self, from: .null) }
    }

    @Test("A missing key and a missing element are named")
    func missing() throws {
        #expect(throws: DecodingError.self) { try KeyedArchiveDecoder().decode(Recipe.self, from: .dictionary([:])) }
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        #expect(throws: DecodingError.self) { try KeyedArchiveDecoder().decode(Pair.self, from: .array([.integer(1)])) }
    }

    @Test("Nested containers and base classes survive a round trip")
    func nested() throws {
        class Base: Codable {
            var base = 1
        }
        final class Derived: Base {
            var own = "x"
            enum Key: CodingKey { case own, list, inner }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                own = try container.decode(String.self, forKey: .own)
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                #expect(list.count == 2)
                let isNil = try list.decodeNil()
                #expect(isNil)
                let inner = try list.nestedContainer(keyedBy: Key.self)
                let number = try inner.decode(Int.self, forKey: .inner)
                #expect(number == 9)
                #expect(list.isAtEnd)
                try super.init(from: try container.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encodeNil()
                var inner = list.nestedContainer(keyedBy: Key.self)
                try inner.encode(9, forKey: .inner)
                try container.encode(own, forKey: .own)
                try super.encode(to: container.superEncoder())
            }
        }
        let value = Derived()
        value.base = 7
        value.own = "y"
        let read = try roundTrip(value)
        #expect(read.base == 7)
        #expect(read.own == "y")
    }

    @Test("A value that requests two kinds of container, or none, is refused")
    func contradictory() {
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var keyed = encoder.container(keyedBy: IndexKey.self)
                try keyed.encode(1, forKey: IndexKey(0))
                var unkeyed = encoder.unkeyedContainer()
                try unkeyed.encode(2)
            }
        }
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        #expect(throws: EncodingError.self) { try KeyedArchiveEncoder().encode(Both()) }
        #expect(throws: EncodingError.self) { try KeyedArchiveEncoder().encode([Nothing()]) }
        #expect(throws: EncodingError.self) { try KeyedArchiveEncoder().encode(Date(timeIntervalSince1970: .nan)) }
    }

    @Test("Endlessly nested values are an error, not a stack overflow")
    func depth() throws {
        final class Chain: Codable {
            var next: Chain?
            init(_ next: Chain?) { self.next = next }
        }
        var chain = Chain(nil)
        for _ in 0..<10_000 { chain = Chain(chain) }
        #expect(code { try KeyedArchiveEncoder().encode(chain) } == .limitExceeded)
        // Dismantled explicitly: a class's own chain of releases needs as much stack.
        while let next = chain.next { chain = next }
        var tree = PropertyListValue.dictionary([:])
        for _ in 0..<1000 { tree = .dictionary(["next": tree]) }
        #expect(code { try KeyedArchiveDecoder().decode(Chain.self, from: tree) } == .limitExceeded)
        #expect(code { try tree.archivedData() } == .limitExceeded)
    }

    @Test("A shared tree is decoded within the limits")
    func amplification() {
        var tree = PropertyListValue.array([.integer(1)])
        for _ in 0..<30 { tree = .array([tree, tree]) }
        struct Sum: Decodable {
            init(from decoder: any Decoder) throws {
                guard var list = try? decoder.unkeyedContainer() else { return }
                while !list.isAtEnd { _ = try list.decode(Sum.self) }
            }
        }
        #expect(throws: (any Error).self) { try KeyedArchiveDecoder().decode([[[Sum]]].self, from: tree) }
    }

    @Test("“$null” reads as nil on request")
    func nullTexts() throws {
        let data = try PropertyListValue.array([.string("a"), .string("$null"), .null]).archivedData()
        let texts = try KeyedArchiveDecoder().decode([String?].self, from: data)
        #expect(texts == ["a", "$null", nil])
        var decoder = KeyedArchiveDecoder()
        decoder.readsNullTexts = true
        let nils = try decoder.decode([String?].self, from: data)
        #expect(nils == ["a", nil, nil])
    }

    @Test("The caller's user information reaches the values")
    func userInfo() throws {
        struct Asking: Codable {
            init() {}
            init(from decoder: any Decoder) throws { #expect(decoder.userInfo[Self.key] as? Int == 5) }
            func encode(to encoder: any Encoder) throws {
                #expect(encoder.userInfo[Self.key] as? Int == 5)
                var container = encoder.singleValueContainer()
                try container.encode(1)
            }
            static var key: CodingUserInfoKey { CodingUserInfoKey(rawValue: "key") ?? CodingUserInfoKey(rawValue: "")! }
        }
        var (encoder, decoder) = (KeyedArchiveEncoder(), KeyedArchiveDecoder())
        encoder.userInfo[Asking.key] = 5
        decoder.userInfo[Asking.key] = 5
        _ = try decoder.decode([Asking].self, from: try encoder.encode([Asking()]))
    }

    @Test("A tree is archived as Foundation's classes and read back")
    func trees() throws {
        let shared = PropertyListValue.array([.integer(1), .null])
        let tree = PropertyListValue.dictionary([
            "a": shared, "b": shared, "t": .string("x"), "d": .date(5), "f": .float(1), "n": .unsigned(.max),
        ])
        let again = try PropertyListValue(archive: tree.archivedData())
        #expect(again == tree)
        // The same storage as an array and as a set.
        let elements: [PropertyListValue] = [.integer(1), .integer(2)]
        let both = try PropertyListValue.array([.array(elements), .set(elements)]).archivedData()
        let read = try KeyedUnarchiver.unarchivedObject(ofClasses: plainClasses, from: both) as? NSArray
        #expect(read.map { StoredObjects.of($0) }?.last is NSSet)
        #expect(code { try PropertyListValue.uid(1).archivedData() } == .unsupportedValue)
        #expect(code { try PropertyListValue.date(.nan).archivedData() } == .unsupportedValue)
    }

    @Test("Trees of shared collections are converted from and to objects in linear time")
    func sharedTrees() throws {
        var level: [Any] = ["leaf"]
        for _ in 0..<30 { level = [level, level] }
        let tree = try PropertyListValue(object: level)
        let size = try tree.archivedData().count
        #expect(size < 2000)
        guard let object = tree.object as? [Any] else {
            Issue.record("expected a list, came an object of \(type(of: tree.object))")
            return
        }
        #expect(object.count == 2)
    }
}
