import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("Values for a cassette's tokens")
struct PlayedValuesTests {
    private let hash = KeyedHash()

    private func redacted(_ data: Data, keeping kept: [String] = []) -> RedactedValue {
        Redactor(RedactionRules(keeping: kept), hash: hash).value(of: .propertyList(data))
    }

    /// Returns a random property list of a depth.
    private static func random(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 7), using: &random) {
        case 0: return Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
        case 1: return Double.random(in: -1_000...1_000, using: &random)
        case 2: return Bool.random(using: &random)
        case 3: return String(repeating: "ä", count: Int.random(in: 1..<40, using: &random))
        case 4: return Data(count: Int.random(in: 1..<100, using: &random))
        case 5: return Date(timeIntervalSince1970: Double.random(in: 0...4e9, using: &random))
        case 6: return UUID().uuidString
        case 7: return (0..<3).map { _ in Self.random(depth - 1, &random) }
        case 8: return Data(#"{"a":[1,"x",true,null,{"b":2.5}]}"#.utf8)
        case 9: return #"[1,{"c":"y"}]"#
        case 10: return Data(#"{"inner":"\#(Data(#"{"d":[2,"z"]}"#.utf8).base64EncodedString())"}"#.utf8)
        case 11: return Data(#"{"e":"y"}"#.utf8).base64EncodedString()
        default:
            return Dictionary(uniqueKeysWithValues: (0..<3).map { ("k\($0)", Self.random(depth - 1, &random)) })
        }
    }

    @Test("A content that is made up has the structure, the types and the bounds of the recorded one")
    func shapes() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let content = ["content": Self.random(3, &random), "more": Self.random(2, &random)]
            let recorded = redacted(try PropertyListValue(object: content).binaryData())
            var values = PlayedValues()
            let made = redacted(try values.dictionary(recorded))
            var bindings = Bindings()
            let changes = ContentComparison.changes(from: recorded, to: made, &bindings)
            #expect(changes == [], "\(changes) from \(recorded.text) to \(made.text)")
            #expect(Self.sizes(recorded) == Self.sizes(made), "\(recorded.text) \(made.text)")
        }
    }

    /// Returns the bounds of all numbers.
    private static func sizes(_ value: RedactedValue) -> [String] {
        switch Shape(value) {
        case .leaf(let leaf): leaf.type == "integer" || leaf.type == "real" ? [leaf.size ?? "none"] : []
        case .list(let elements): elements.flatMap(sizes)
        case .keys(let entries, _): entries.sorted { $0.key < $1.key }.flatMap { sizes($0.value) }
        case .wrapped(_, let inner): sizes(inner)
        }
    }

    @Test("An archive is made up with its classes, roots, numbers and number objects")
    func archives() throws {
        let object: [String: PropertyListValue] = [
            "$class": .uid(2), "title": .uid(3), "number": .integer(7), "boxed": .uid(4), "id": .uid(5), "at": .uid(7),
            "list": .uid(9), "none": .uid(0),
        ]
        func named(_ name: String) -> PropertyListValue {
            .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
        }
        let objects: [PropertyListValue] = [
            .string("$null"), .dictionary(object), named("Book"), .string("Emma"), .integer(70_000),
            .dictionary(["$class": .uid(6), "NS.uuidbytes": .data(Data(repeating: 1, count: 16))]), named("NSUUID"),
            .dictionary(["$class": .uid(8), "NS.time": .real(5)]), named("NSDate"),
            .dictionary(["$class": .uid(10), "NS.objects": .array([.uid(3), .uid(4)])]), named("NSArray"),
        ]
        for top in [["root": PropertyListValue.uid(1)], ["book": .uid(1), "count": .integer(3)]] {
            let archive = try PropertyListValue.dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dictionary(top),
                "$objects": .array(objects),
            ]).binaryData()
            let redactor = Redactor(RedactionRules(), hash: hash)
            let recorded = redactor.value(of: .bytes(archive))
            var values = PlayedValues()
            let made = redactor.value(of: .bytes(try values.bytes(recorded)))
            var bindings = Bindings()
            #expect(ContentComparison.changes(from: recorded, to: made, &bindings) == [], "\(made.text)")
            #expect(made.text.contains("~object") && made.text.contains("identifier~"), "\(made.text)")
            #expect(made.text.contains("~roots") == (top.count == 2), "\(made.text)")
        }
    }

    @Test("Documents in an archive keep their forms: in data, in a text, and in base64")
    func documentsInArchives() throws {
        let json = #"{"a":1}"#
        let object: [String: PropertyListValue] = [
            "$class": .uid(2), "data": .data(Data(json.utf8)), "text": .string(json),
            "base64": .string(Data(json.utf8).base64EncodedString()),
        ]
        let name: [String: PropertyListValue] = [
            "$classname": .string("Book"), "$classes": .array([.string("Book"), .string("NSObject")]),
        ]
        let archive = try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([.string("$null"), .dictionary(object), .dictionary(name)]),
        ]).binaryData()
        let redactor = Redactor(RedactionRules(), hash: hash)
        let recorded = redactor.value(of: .bytes(archive))
        var values = PlayedValues()
        let made = redactor.value(of: .bytes(try values.bytes(recorded)))
        var bindings = Bindings()
        #expect(ContentComparison.changes(from: recorded, to: made, &bindings) == [], "\(made.text)")
        #expect(["~json\"", "~jsonText", "~base64"].allSatisfy(made.text.contains), "\(made.text)")
    }

    @Test("Values that the app has sent take the places of the recorded ones; equal tokens have equal values")
    func learned() throws {
        let identifier = UUID().uuidString
        let sent = redacted(try PropertyListValue(object: ["id": identifier, "title": "Emma"]).binaryData())
        let answer = redacted(
            try PropertyListValue(object: ["for": identifier, "also": "Emma", "new": "x", "newer": "x"]).binaryData())
        var values = PlayedValues()
        let arrived = try PropertyListValue(object: ["id": "9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60", "title": "Lolly"])
        values.learn(sent, redacted(try arrived.binaryData(), keeping: ["*"]))
        let made = try PropertyListValue(binary: try values.dictionary(answer))
        #expect(made["for"] == .string("9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60"))
        #expect(made["also"] == .string("Lolly"))
        #expect(made["new"] == made["newer"] && made["new"] != .string("Lolly"))
    }

    @Test("The two truth values stay different")
    func truths() throws {
        let recorded = redacted(try PropertyListValue(object: ["a": true, "b": false, "c": true]).binaryData())
        var values = PlayedValues()
        let made = try PropertyListValue(binary: try values.dictionary(recorded))
        #expect(made["a"] == made["c"] && made["a"] != made["b"], "\(made)")
    }

    @Test("Kept values are played as they were")
    func kept() throws {
        let content: [String: Any] = [
            "kind": "novel", "n": -5, "r": 2.5, "f": false, "d": Data([9]),
            "t": Date(timeIntervalSinceReferenceDate: 7),
        ]
        let data = try PropertyListValue(object: content).binaryData()
        var values = PlayedValues()
        #expect(try values.dictionary(redacted(data, keeping: ["*"])) == data)
    }
}
