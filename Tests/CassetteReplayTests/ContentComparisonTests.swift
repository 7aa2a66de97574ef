import Cassettes
import Foundation
import KeyedArchive
import Testing

@testable import CassetteReplay

@Suite("The comparison of contents")
struct ContentComparisonTests {
    private static func value(_ content: [String: Any], keeping kept: [String] = []) throws -> RedactedValue {
        let data = try PropertyListValue(object: content).binaryData()
        return Redactor(RedactionRules(keeping: kept), hash: KeyedHash()).value(of: .propertyList(data))
    }

    private static func changes(
        _ old: [String: Any], _ new: [String: Any], variables: Set<String> = []
    ) throws -> [ContentChange] {
        var bindings = Bindings()
        return ContentComparison.changes(
            from: try value(old, keeping: ["*"]), to: try value(new, keeping: ["*"]), &bindings,
            variables: VariablePaths(values: variables))
    }

    @Test("The same content, hidden or shown, is the same whatever the keys of the two hashes are")
    func same() throws {
        let content: [String: Any] = [
            "text": "Anna", "number": 5, "ratio": 0.25, "flag": true, "when": Date(), "id": UUID().uuidString,
            "list": [1, 2], "data": Data([1, 2]), "json": #"{"a":[1,null]}"#, "inner": ["deep": ["x": 1]],
        ]
        let kept = [([], []), ([], ["*"]), (["*"], []), (["*"], ["*"]), (["text", "id"], ["*", "text", "id"])]
        for (old, new) in kept as [([String], [String])] {
            var bindings = Bindings()
            let changes = ContentComparison.changes(
                from: try Self.value(content, keeping: old), to: try Self.value(content, keeping: new), &bindings)
            #expect(changes == [], "\(old) and \(new): \(changes)")
        }
    }

    @Test("A missing key, a new one and one with another name are told")
    func keys() throws {
        #expect(try Self.changes(["a": 1, "b": 2], ["a": 1]) == [ContentChange("b", .missing)])
        #expect(try Self.changes(["a": 1], ["a": 1, "b": 2]) == [ContentChange("b", .added)])
        #expect(
            try Self.changes(["in": ["a": 1]], ["in": ["b": 1]]) == [
                ContentChange("in.a", .missing), ContentChange("in.b", .added),
            ])
        #expect(
            try Self.changes(["l": [["a": 1], ["a": 2]]], ["l": [[:], [:]]]) == [ContentChange("l[].a", .missing)])
    }

    @Test("Another type is a change, whichever the two are")
    func types() throws {
        let values: [(String, Any)] = [
            ("string", "Anna"), ("integer", 5), ("real", 0.5), ("boolean", true), ("date", Date()), ("list", [1]),
            ("data", Data([1, 2])), ("dictionary", ["a": 1]), ("UUID in a text", UUID().uuidString),
            ("JSON in data", Data("[1]".utf8)), ("JSON in a text", "[1]"), ("JSON in base64", "WzFd"),
            ("property list in data", try PropertyListValue(object: ["a": 1]).binaryData()),
        ]
        for (from, old) in values {
            for (to, new) in values {
                let changes = try Self.changes(["x": old], ["x": new])
                #expect(changes == (from == to ? [] : [ContentChange("x", .type(from: from, to: to))]), "\(changes)")
            }
        }
    }

    @Test("Numbers of JSON that are whole by chance are no change of type, those that were whole and are not are one")
    func jsonNumbers() throws {
        func json(_ number: String, keeping kept: [String] = []) throws -> RedactedValue {
            try Self.value(["j": Data("{\"n\":\(number)}".utf8)], keeping: kept)
        }
        func changes(_ old: RedactedValue, _ new: RedactedValue, _ variables: Set<String> = []) -> [ContentChange] {
            var bindings = Bindings()
            return ContentComparison.changes(
                from: old, to: new, &bindings, variables: VariablePaths(values: variables))
        }
        #expect(try changes(json("5.5"), json("5", keeping: ["*"])) == [])
        let whole = ContentChange("j.n", .value(from: "“5.5”", to: "“5”"))
        #expect(try changes(json("5.5", keeping: ["*"]), json("5", keeping: ["*"])) == [whole])
        #expect(try changes(json("5.5", keeping: ["*"]), json("5", keeping: ["*"]), ["j.n"]) == [])
        #expect(
            try changes(json("5"), json("5.5", keeping: ["*"])) == [
                ContentChange("j.n", .type(from: "integer", to: "real"))
            ])
        #expect(try changes(json("5"), json("5.5", keeping: ["*"]), ["j.n"]) == [])
        #expect(
            try Self.changes(["x": 5.5, "j": Data("[1]".utf8)], ["x": 5, "j": Data("[1]".utf8)]) == [
                ContentChange("x", .type(from: "real", to: "integer"))
            ])
    }

    @Test("Another document in base64 is told as one of base64")
    func base64() throws {
        let list = try PropertyListValue(object: ["a": 1]).binaryData().base64EncodedString()
        #expect(
            try Self.changes(["x": Data(#"{"a":1}"#.utf8).base64EncodedString()], ["x": list]) == [
                ContentChange("x", .type(from: "JSON in base64", to: "property list in base64"))
            ])
    }

    @Test("Values that both show are compared; those made anew and variable ones are not")
    func values() throws {
        #expect(try Self.changes(["x": 1], ["x": 2]) == [ContentChange("x", .value(from: "“1”", to: "“2”"))])
        #expect(try Self.changes(["x": 1], ["x": 2], variables: ["x"]) == [])
        #expect(try Self.changes(["x": Date()], ["x": Date(timeIntervalSince1970: 0)]) == [])
        #expect(try Self.changes(["x": UUID().uuidString], ["x": UUID().uuidString]) == [])
        #expect(try Self.changes(["x": [1, 2]], ["x": [1]]) == [ContentChange("x", .count(from: 2, to: 1))])
        var bindings = Bindings()
        #expect(
            ContentComparison.changes(
                from: try Self.value(["x": "a"]), to: try Self.value(["x": "b"], keeping: ["*"]), &bindings) == [])
    }

    @Test("A value that differs from run to run keeps its form, if that is known")
    func forms() throws {
        let now = 1_795_886_400.5
        let reference = now - Date.timeIntervalBetween1970AndReferenceDate
        let forms: [Any] = [
            "\(now)", "\(now * 1_000)", "\(reference)", "2026-11-28", "2026-11-28T17:00:00Z",
            "2026-11-28T17:00:00.5+01:00",
            "a \(UUID().uuidString).jpeg", "", "yesterday", "17", "two plants", "28.11.2026",
        ]
        // The sixth is of the form of the fifth; those from the eighth on are of no known form.
        for (old, oldForm) in zip(forms, [0, 1, 2, 3, 4, 4, 5]) {
            for (new, newForm) in zip(forms, [0, 1, 2, 3, 4, 4, 5, nil, nil, nil, nil, nil]) {
                let changes = try Self.changes(["when": old], ["when": new], variables: ["when"])
                #expect(changes.isEmpty == (newForm == nil || newForm == oldForm), "from \(old) to \(new): \(changes)")
            }
        }
        for (old, new, isOther) in [
            (1_795_886_400, 1_795_886_400_000, true), (1_795_886_400, 1_795_886_401, false), (7, 1_795_886_400, false),
            (99_999_999, 100_000_000, false), (1_795_886_400_000, 1_795_886_400_000_000, true),
        ] {
            let changes = try Self.changes(["at": old], ["at": new], variables: ["at"])
            #expect(changes.isEmpty != isOther, "from \(old) to \(new): \(changes)")
        }
        #expect(
            try Self.changes(["at": now], ["at": reference], variables: ["at"])
                == [ContentChange("at", .value(from: "“\(now)”", to: "“\(reference)”"))])
    }

    @Test("An identifier within a text must be repeated, too, unless it is drawn by chance")
    func namesOfFiles() throws {
        let (a, b, c) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        func changes(_ new: [String: Any], drawn: Set<String> = []) throws -> [ContentChange] {
            var bindings = Bindings()
            let old = try Self.value(["id": a, "image": "\(a).jpeg", "file": "\(a).jpeg"], keeping: ["*"])
            return ContentComparison.changes(
                from: old, to: try Self.value(new, keeping: ["*"]), &bindings,
                variables: VariablePaths(values: ["image", "file"], drawn: drawn))
        }
        #expect(try changes(["id": b, "image": "\(b).jpeg", "file": "\(b).jpeg"]) == [])
        let other = try changes(["id": b, "image": "\(c).jpeg", "file": "\(b).jpeg"])
        #expect(other == [ContentChange("image", .identity)])
        #expect(try changes(["id": b, "image": "\(c).jpeg", "file": "\(b).jpeg"], drawn: ["image"]) == [])
    }

    @Test("The first UUID of a text is found, of either case and wherever it is, and nothing that is like one")
    func identifiersWithin() {
        let (first, second) = ("8C4FC8E6-5A4E-4A35-9C6B-6B0D38A4D3B1", "0d3bbbb9-5c93-417d-95fe-d4bb4598c481")
        for (text, expected) in [
            (first, first), (second, second), ("a-\(second).jpeg of \(first)", second), ("é\(first)é", first),
            ("0\(first)", first), (String(first.dropLast()), nil), (first.replacing("-", with: "_"), nil),
            (first.replacing("C", with: "G"), nil), (String(repeating: "-", count: 50), nil), ("", nil),
        ] as [(String, String?)] {
            #expect(text.identifierWithin == expected, "\(text)")
        }
    }

    @Test("An identifier that was new is new")
    func newIdentifiers() throws {
        func value(_ first: String, _ second: String) throws -> RedactedValue {
            try Self.value(["first": first, "second": second])
        }
        let (a, b, c) = (UUID().uuidString, UUID().uuidString, UUID().uuidString)
        for (first, second, expected) in [(b, c, []), (b, b, [ContentChange("second", .merged)])] {
            var bindings = Bindings()
            let changes = ContentComparison.changes(from: try value(a, b), to: try value(first, second), &bindings)
            #expect(changes == expected, "\(changes)")
        }
        // Two dates of one moment are no copies.
        var bindings = Bindings()
        let (one, other) = (Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2))
        let changes = ContentComparison.changes(
            from: try Self.value(["a": one, "b": other]), to: try Self.value(["a": one, "b": one]), &bindings)
        #expect(changes == [])
    }

    @Test("An identifier that was repeated must be repeated")
    func identities() throws {
        let (first, second) = (UUID().uuidString, UUID().uuidString)
        let old = try Self.value(["a": first, "b": first])
        var bindings = Bindings()
        #expect(
            ContentComparison.changes(from: old, to: try Self.value(["a": second, "b": second]), &bindings) == [])
        #expect(
            ContentComparison.changes(
                from: old, to: try Self.value(["a": second, "b": UUID().uuidString], keeping: ["*"]), &bindings
            )
            .map(\.kind) == [.identity, .identity])
    }

    private static func archive(_ name: String, _ key: String = "title", isObject: Bool = false) throws -> Data {
        try PropertyListValue.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([
                .string("$null"),
                .dictionary(["$class": .uid(2), key: .uid(3), "number": isObject ? .uid(4) : .integer(7)]),
                .dictionary(["$classname": .string(name), "$classes": .array([.string(name)])]), .string("Emma"),
                .integer(7),
            ]),
        ]).binaryData()
    }

    @Test("Another class name is broken; a number stored as an object is the same number")
    func archives() throws {
        func changes(_ new: Data) throws -> [ContentChange] {
            try Self.changes(["x": Self.archive("Book")], ["x": new])
        }
        let renamed = try changes(Self.archive("Novel"))
        #expect(renamed == [ContentChange("x", .className(from: "Book", to: "Novel"))])
        #expect(renamed.map(\.verdict) == [.broken])
        #expect(try changes(Self.archive("Book", "name")).map(\.kind) == [.added, .missing])
        #expect(try changes(Self.archive("Book", isObject: true)) == [])
    }

    @Test("A content that is there once only is told")
    func presence() throws {
        var bindings = Bindings()
        let value = try Self.value(["a": 1])
        #expect(ContentComparison.changes(from: nil, to: value, &bindings) == [ContentChange("", .added)])
        #expect(ContentComparison.changes(from: value, to: nil, &bindings) == [ContentChange("", .missing)])
        #expect(ContentComparison.changes(from: nil, to: nil, &bindings) == [])
    }

    @Test("Only values that are made anew are bound: equal texts can be equal by chance")
    func bindings() {
        for (type, isBound) in [("uuid", true), ("date", true), ("string", false), ("integer", false)] {
            var bindings = Bindings()
            let bound = ["x", "x", "y"].map { bindings.bind(Leaf("\(type)=a"), Leaf("\(type)=\($0)")) }
            #expect(bound == [.bound, .bound, isBound ? .parted : .bound], "\(type)")
        }
    }
}
