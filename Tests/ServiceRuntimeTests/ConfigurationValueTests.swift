import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite("Values of configurations")
struct ConfigurationValueTests {
    private static func file(_ text: String, leavingOut leftOut: Set<String> = []) throws -> ConfigurationFile {
        try ConfigurationFile(content: text, of: "a.json5", leavingOut: leftOut)
    }

    private func error(_ body: () throws -> Void) -> ConfigurationError? {
        do {
            try body()
            return nil
        } catch {
            return error as? ConfigurationError
        }
    }

    @Test(
        "A number is accepted at its bounds and refused beyond them",
        arguments: [
            ("1", 1), ("2", 2), ("1.5", 1.5), ("0.999", nil), ("2.001", nil), ("0", nil), ("3", nil), ("'1'", nil),
            ("true", nil), ("[1]", nil),
        ] as [(String, Double?)])
    func numbers(_ text: String, _ expected: Double?) throws {
        let number = try? Self.file("{ a: \(text) }").number("a", within: 1...2)
        #expect(number == expected)
        let seconds = try? Self.file("{ a: \(text) }").seconds("a", within: 1...2)
        let duration = expected.map { Duration.nanoseconds(Int64($0 * 1_000_000_000)) }
        #expect(seconds == duration)
    }

    @Test(
        "A count is a whole number within its bounds",
        arguments: [("1", 1), ("3", 3), ("0", nil), ("4", nil), ("1.5", nil), ("-1", nil), ("'1'", nil)]
            as [(String, Int?)])
    func counts(_ text: String, _ expected: Int?) throws {
        let count = try? Self.file("{ a: \(text) }").count("a", within: 1...3)
        #expect(count == expected)
    }

    @Test(
        "Users are a list of identifiers of 32 bits, not empty and without the one of unmapped users",
        arguments: [
            ("[0]", [0]), ("[4294967295]", [4_294_967_295]), ("[65533, 65535, 65533]", [65_533, 65_535]),
            ("[]", nil), ("[4294967296]", nil), ("[-1]", nil), ("[1, 'a']", nil), ("1", nil), ("[1, 65534]", nil),
        ] as [(String, [UInt32]?)])
    func users(_ text: String, _ expected: [UInt32]?) throws {
        let users = try? Self.file("{ a: \(text) }").users("a")
        #expect(users?.sorted() == expected)
    }

    @Test(
        "Texts are a list of strings, which may be empty",
        arguments: [("[]", []), ("['b', 'a']", ["b", "a"]), ("['a', 1]", nil), ("'a'", nil)] as [(String, [String]?)])
    func texts(_ text: String, _ expected: [String]?) throws {
        let texts = try? Self.file("{ a: \(text) }").texts("a")
        #expect(texts == expected)
    }

    @Test("A word is one of those that are allowed, and an identifier is a UUID")
    func words() throws {
        let choices = [("on", 1), ("off", 0)]
        let file = try Self.file("{ a: 'off', b: 'On', c: 'x' }")
        let chosen = try file.choice("a", among: choices)
        #expect(chosen == 0)
        let absent = try file.choice("d", among: choices)
        #expect(absent == nil)
        let word = error { _ = try file.choice("b", among: choices) }
        #expect(word?.reason.hasPrefix("“On” must be one of on, off") == true, "\(String(describing: word))")
        let identifier = error { _ = try file.uuid("c") }
        #expect(identifier?.reason == "“x” is not a UUID")
    }

    @Test("A list contains objects only, and unknown keys in them are refused with their place")
    func lists() throws {
        let file = try Self.file("{ a: [{ b: 1 }, {\n c: 2 }], d: [{}, 1], e: {} }")
        let list = try file.list("a")
        #expect(list.map(\.names) == [["b"], ["c"]])
        let absent = try file.list("absent").count
        #expect(absent == 0)
        let element = error { _ = try file.list("d") }
        #expect(element?.reason == "element 2 must be an object { … }")
        let object = error { _ = try file.list("e") }
        #expect(object?.reason.hasPrefix("must be a list [ … ]") == true, "\(String(describing: object))")
        let first = try #require(list.first)
        let known = first.value("b")
        #expect(known == JSONValue.integer(1))
        let unknown = error { try file.refuseUnknownKeys() }
        #expect(unknown?.key == "a[1].c")
        #expect(unknown?.line == 2)
    }

    @Test("Keys that are left out are neither read nor refused, and ignored ones are not refused")
    func leftOut() throws {
        let file = try Self.file("{ a: 1, b: { c: 2, d: 3 }, e: 4 }", leavingOut: ["a", "b.c"])
        #expect(file.names == ["b", "e"])
        let value = file.value("a")
        #expect(value == nil)
        let section = try file.section("b")
        #expect(section.names == ["d"])
        #expect(file.place(of: "a") == nil)
        #expect(file.place(of: "b.d") == 1)
        file.ignore("e")
        let unknown = error { try file.refuseUnknownKeys() }
        #expect(unknown?.key == "b.d")
        section.ignore("d")
        let none = error { try file.refuseUnknownKeys() }
        #expect(none == nil)
    }

    @Test("A period may be as long as another one, or must be shorter; the error is about the key that is given")
    func periods() throws {
        let file = try Self.file("{ a: 2 }")
        let two = Duration.seconds(2)
        let atMost = [1, 2, 3].map { seconds in
            error { try file.require("a", .seconds(seconds), atMost: "b", two) }?.reason
        }
        let tooLong: [String?] = [nil, nil, "a (3.0 s) must be at most b (2.0 s)"]
        #expect(atMost == tooLong)
        let below = [1, 2].map { seconds in
            error { try file.require("a", .seconds(seconds), below: "b", two) }?.reason
        }
        let notShorter: [String?] = [nil, "a (2.0 s) must be less than b (2.0 s)"]
        #expect(below == notShorter)
        let given = error { try file.require("a", two, below: "b", two) }
        #expect(given?.key == "a")
        let other = error { try file.require("b", two, below: "a", two) }
        #expect(other?.key == "a")
    }

    @Test("A file is refused that is too long, is not text, is missing or is not an object")
    func files() throws {
        let scratch = try Scratch()
        let path = scratch.path("a.json5")
        func reason(_ content: Data) throws -> String? {
            try content.write(to: URL(filePath: path))
            return error { _ = try ConfigurationFile(path: path) }?.reason
        }
        let limit = 1_048_576
        let longest = try reason(Data("}".utf8) + Data(repeating: 0x20, count: limit - 1))
        #expect(longest?.hasPrefix("is not JSON5: ") == true, "\(String(describing: longest))")
        let tooLong = try reason(Data("}".utf8) + Data(repeating: 0x20, count: limit))
        #expect(tooLong == "is longer than 1048576 bytes")
        let bytes = try reason(Data([0xFF]))
        #expect(bytes == "is not UTF-8 text")
        let list = try reason(Data("[1]".utf8))
        #expect(list == "is not an object { … }")
        let object = try reason(Data("{}".utf8))
        #expect(object == nil)
        let missing = error { _ = try ConfigurationFile(path: scratch.path("none.json5")) }
        #expect(missing?.reason.hasPrefix("cannot be read") == true, "\(String(describing: missing))")
        let names = try ConfigurationFile(path: nil).names
        #expect(names == [])
    }

    @Test("An error shows the parts of its location that are known")
    func descriptions() {
        let errors = [
            ConfigurationError(file: "f", key: "", reason: "why"),
            ConfigurationError(file: "f", key: "k", reason: "why"),
            ConfigurationError(file: "f", line: 2, key: "k", reason: "why"),
            ConfigurationError(file: "f", line: 2, column: 3, key: "", reason: "why"),
        ]
        #expect(errors.map(\.description) == ["f: why", "f: k: why", "f:2: k: why", "f:2:3: why"])
    }

    @Test("A value in a message is shortened after 40 characters")
    func brief() {
        let forty = String(repeating: "ä", count: 40)
        #expect(JSONValue.string(forty).brief == "“\(forty)”")
        #expect(JSONValue.string(forty + "x").brief == "“\(forty)…”")
    }

    @Test("A user's directories: the absolute one of the environment, else the one in the home directory")
    func directories() {
        let names = ["/xdg", "xdg", ""]
        let states = names.map { UserDirectory.state(["XDG_STATE_HOME": $0, "HOME": "/h"]) }
        #expect(states == ["/xdg", "/h/.local/state", "/h/.local/state"])
        let configurations = names.map { UserDirectory.configuration(["XDG_CONFIG_HOME": $0, "HOME": "/h"]) }
        #expect(configurations == ["/xdg", "/h/.config", "/h/.config"])
        let absent = UserDirectory.state(["HOME": "/h"])
        #expect(absent == "/h/.local/state")
        let paths = ["/", "/a/", "/a", "/a b/"].map { URL(filePath: $0).plainPath }
        #expect(paths == ["/", "/a", "/a", "/a b"])
    }
}
