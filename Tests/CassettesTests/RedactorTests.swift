import Foundation
import KeyedArchive
import Testing

@testable import Cassettes

@Suite("What a cassette shows of a content")
struct RedactorTests {
    private static let hash = KeyedHash(key: [1, 2, 3])

    private static func redacted(_ dictionary: [String: Any], keeping kept: [String] = []) throws -> RedactedValue {
        let data = try PropertyListValue(object: dictionary).binaryData()
        return Redactor(RedactionRules(keeping: kept), hash: hash).value(of: .propertyList(data))
    }

    private static func leaf(_ value: RedactedValue, _ keys: String...) throws -> String {
        var value = value
        for key in keys {
            guard case .entries(let entries) = value, let next = entries[key] else {
                Issue.record("no \(key) in \(value.text)")
                return ""
            }
            value = next
        }
        guard case .leaf(let leaf) = value else {
            Issue.record("not a leaf: \(value.text)")
            return ""
        }
        return leaf
    }

    @Test("Each type has its token, with a rounded size where it has one")
    func types() throws {
        let value = try Self.redacted([
            "text": "Anna Karenina", "count": 300, "minus": -2, "ratio": 0.5, "done": true, "when": Date(),
            "picture": Data([1, 2, 3]), "id": "9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60",
        ])
        #expect(try Self.leaf(value, "text").hasPrefix("string~16~"))
        #expect(try Self.leaf(value, "count").hasPrefix("integer~4096~"))
        #expect(try Self.leaf(value, "minus").hasPrefix("integer~-16~"))
        #expect(try Self.leaf(value, "ratio").hasPrefix("real~16~"))
        #expect(try Self.leaf(value, "done").hasPrefix("boolean~"))
        #expect(try Self.leaf(value, "when").hasPrefix("date~"))
        #expect(try Self.leaf(value, "picture").hasPrefix("data~8~"))
        #expect(try Self.leaf(value, "id").hasPrefix("uuid~"))
        #expect(!value.text.contains("Anna"))
    }

    @Test("Equal values have equal tokens wherever they are; different ones and different types have not")
    func equality() throws {
        let value = try Self.redacted(["a": "Anna", "b": "Anna", "c": "Anne", "n": 1, "t": "1", "f": 1.0, "y": true])
        let leaves = try ["a", "b", "c", "n", "t", "f", "y"].map { try Self.leaf(value, $0) }
        #expect(leaves[0] == leaves[1])
        #expect(Set(leaves).count == 6)
    }

    @Test("A listed key path keeps its values, and no other")
    func kept() throws {
        let value = try Self.redacted(
            ["answers": [["points": 5, "text": "Rome"], ["points": 7, "text": "Oslo"]], "points": 9],
            keeping: ["answers[].points"])
        #expect(value.text.contains(#""points":"integer=5""#))
        #expect(value.text.contains(#""points":"integer=7""#))
        #expect(!value.text.contains("integer=9"))
        #expect(!value.text.contains("Rome"))
    }

    @Test("The star keeps all values, and documents are described all the same")
    func keptWhole() throws {
        let json = #"{"name":"Anna","list":[1,true]}"#
        let value = try Self.redacted(
            ["a": "x", "id": "9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60", "d": Data([1]), "t": json, "j": Data(json.utf8)],
            keeping: ["*"])
        let inner = #"{"list":["integer=1","boolean=true"],"name":"string=Anna"}"#
        #expect(
            value.text
                == #"{"a":"string=x","d":"data=AQ==","id":"uuid=9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60","j":{"~json":"#
                + inner + #"},"t":{"~jsonText":"# + inner + "}}")
    }

    @Test(
        "A key stays if it is a name in code",
        arguments: [
            ("userName", true), ("$classname", true), ("a1", true), ("_x.y-z", true), ("Module.Quiz<Int>", true),
            ("Anna Karenina", false), ("anna@example.org", false), ("", false), ("1st", false), ("tel4711", false),
            ("tel471", true), ("Ännchen", false), ("~set", false), (String(repeating: "a", count: 41), false),
            (String(repeating: "a", count: 40), true),
        ])
    func keys(_ key: String, _ isName: Bool) throws {
        let value = try Self.redacted([key: 1])
        guard case .entries(let entries) = value, let shown = entries.keys.first else {
            Issue.record("\(value.text)")
            return
        }
        #expect((shown == key) == isName)
        #expect(isName || shown.hasPrefix("key~"))
    }

    @Test("A document in data or in a text is described like any other content, and keeps nothing")
    func documents() throws {
        let json = #"{"name":"Anna","scores":[1,2.5,null,true]}"#
        let inner = try PropertyListValue(object: ["name": "Anna"]).binaryData()
        let value = try Self.redacted(["text": json, "data": Data(json.utf8), "list": inner, "broken": "{Anna"])
        #expect(try Self.leaf(value, "text", "~jsonText", "name") == Self.leaf(value, "data", "~json", "name"))
        #expect(try Self.leaf(value, "list", "~plist", "name") == Self.leaf(value, "text", "~jsonText", "name"))
        #expect(try Self.leaf(value, "broken").hasPrefix("string~8~"))
        #expect(!value.text.contains("Anna"))
    }

    @Test("A document in base64, as JSON has data, is described like one in data; other texts are texts")
    func base64() throws {
        let json = Data(#"{"name":"Anna"}"#.utf8)
        let list = try PropertyListValue(object: ["name": "Anna"]).binaryData()
        let archive = try Self.archive(Array(0..<8))
        let envelope = try JSONSerialization.data(withJSONObject: [
            "json": json.base64EncodedString(), "list": list.base64EncodedString(),
            "archive": archive.base64EncodedString(), "elements": Data("[1]".utf8).base64EncodedString(),
            "word": "eWYeWYeW", "short": "eyJh", "kept": json.base64EncodedString(),
        ])
        let value = try Self.redacted(["message": envelope, "name": "Anna"], keeping: ["message.kept"])
        let name = try Self.leaf(value, "name")
        #expect(try Self.leaf(value, "message", "~json", "json", "~base64", "~json", "name") == name)
        #expect(try Self.leaf(value, "message", "~json", "list", "~base64", "~plist", "name") == name)
        #expect(try Self.leaf(value, "message", "~json", "archive", "~base64", "~archive", "name") == name)
        #expect(value.text.contains(#""elements":{"~base64":{"~json":["integer~"#), "\(value.text)")
        #expect(try Self.leaf(value, "message", "~json", "word").hasPrefix("string~8~"))
        #expect(try Self.leaf(value, "message", "~json", "short").hasPrefix("string~8~"))
        #expect(try Self.leaf(value, "message", "~json", "kept") == "string=\(json.base64EncodedString())")
        #expect(!value.text.contains("Anna"))
    }

    /// Returns the archive of a person with a list of scores, with the objects in the given order.
    private static func archive(_ order: [Int]) throws -> Data {
        func uid(_ number: Int) -> PropertyListValue { .uid(UInt32((order.firstIndex(of: number) ?? 0) + 1)) }
        func named(_ name: String) -> PropertyListValue {
            .dictionary(["$classname": .string(name), "$classes": .array([.string(name), .string("NSObject")])])
        }
        let objects: [PropertyListValue] = [
            .dictionary([
                "name": uid(1), "scores": uid(2), "self": uid(0), "none": .uid(0), "id": uid(6), "$class": uid(4),
            ]),
            .string("Anna"), .dictionary(["NS.objects": .array([uid(3), uid(3)]), "$class": uid(5)]), .integer(7),
            named("App.Person"), named("NSArray"),
            .dictionary(["NS.uuidbytes": .data(Data(repeating: 0xAB, count: 16)), "$class": uid(7)]), named("NSUUID"),
        ]
        return try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": uid(0)]), "$objects": .array([.string("$null")] + order.map { objects[$0] }),
        ]).binaryData()
    }

    @Test("A keyed archive is described as the objects that are read from it, in whatever order they were stored")
    func archives() throws {
        let redactor = Redactor(RedactionRules(keeping: ["scores[]"]), hash: Self.hash)
        let value = redactor.value(of: .bytes(try Self.archive(Array(0..<8))))
        #expect(value == redactor.value(of: .bytes(try Self.archive(Array((0..<8).reversed())))))
        guard case .entries(let outer) = value, let inner = outer["~archive"] else {
            Issue.record("\(value.text)")
            return
        }
        #expect(try Self.leaf(inner, "~class") == "string=App.Person")
        #expect(try Self.leaf(inner, "self") == "cycle")
        #expect(try Self.leaf(inner, "none") == "null")
        #expect(try Self.leaf(inner, "name").hasPrefix("string~8~"))
        let identifier = UUID(uuid: (171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171, 171))
        // The same token, whatever the identifier is stored as.
        #expect(
            try Self.leaf(inner, "id").replacing("identifier~", with: "uuid~")
                == Self.leaf(Self.redacted(["id": "\(identifier)"]), "id"))
        #expect(inner.text.contains(#""scores":["integer=7","integer=7"]"#), "\(inner.text)")
        #expect(!value.text.contains("Anna"))
    }

    @Test("Shared objects of an archive, described again and again, come to an end")
    func sharedObjects() throws {
        // Forty lists, each with the next one ten times.
        let lists = (1...40).map { number in
            PropertyListValue.dictionary([
                "NS.objects": .array([PropertyListValue](repeating: .uid(UInt32(number + 1)), count: 10)),
                "$class": .uid(42),
            ])
        }
        let name: [String: PropertyListValue] = [
            "$classname": .string("NSArray"), "$classes": .array([.string("NSArray")]),
        ]
        let objects = [.string("$null")] + lists + [.string("Anna"), .dictionary(name)]
        let data = try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array(objects),
        ]).binaryData()
        let text = Redactor(RedactionRules(), hash: Self.hash).value(of: .bytes(data)).text
        #expect(text.contains("omitted"))
        #expect(text.utf8.count < CassetteLimits.contentLine)
    }

    @Test("Deep and large contents are cut, and the rest is omitted")
    func limits() throws {
        var deep: [String: Any] = ["leaf": "Anna"]
        for _ in 0..<40 { deep = ["x": deep] }
        #expect(try Self.redacted(deep).text.contains("\"omitted\""))
        // Kept, because hashing so many values takes a debug build half a minute.
        let long = try Self.redacted(["list": [Int](repeating: 1, count: 70_000)], keeping: ["list[]"])
        guard case .entries(let entries) = long, case .list(let list) = entries["list"] else {
            Issue.record("no list")
            return
        }
        #expect(list.count < 65_536)
        #expect(list.last == .leaf("omitted"))
    }

    @Test(
        "Sizes are rounded up to two binary digits",
        arguments: [(0, 0), (1, 8), (8, 8), (9, 12), (12, 12), (13, 16), (17, 24), (1_000, 1_024), (1_025, 1_536)])
    func sizes(_ size: Int, _ rounded: Int) { #expect(RoundedSize.rounded(size) == rounded) }

    @Test("No size is too large to be rounded")
    func hugeSize() { #expect(RoundedSize.rounded(.max) == .max) }

    @Test("The text of a content is what Python makes of it")
    func canonicalText() throws {
        let value = RedactedValue.entries([
            "b": .leaf("string=Ärger \"x\"\n😀\u{7f}"), "a": .list([.leaf("null")]), "B": .leaf("x"),
        ])
        let program = """
            import json, sys
            text = sys.argv[1]
            sys.stdout.write(json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")))
            """
        let python = Process()
        let output = Pipe()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", program, value.text]
        python.standardOutput = output
        try python.run()
        let text = String(decoding: try #require(try output.fileHandleForReading.readToEnd()), as: UTF8.self)
        python.waitUntilExit()
        #expect(text == value.text)
    }
}
