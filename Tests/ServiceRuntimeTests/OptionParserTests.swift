import Testing

@testable import ServiceRuntime

/// Serialised: getopt_long keeps its place in globals, and programs parse once, at their start.
@Suite("Options", .serialized)
struct OptionParserTests {
    static let parser = OptionParser([
        OptionDefinition("state-directory", placeholder: "DIR", help: "a directory"),
        OptionDefinition("json", help: "a flag"), OptionDefinition("help", short: "h", help: "help"),
    ])

    @Test(
        "Options may stand anywhere and be written either way",
        arguments: [
            ["quizzes", "list", "--json", "--state-directory", "/s"],
            ["--json", "--state-directory=/s", "quizzes", "list"],
            ["quizzes", "--json", "--state-directory", "/s", "list"], ["--state=/s", "--js", "quizzes", "list"],
        ])
    func anywhere(_ arguments: [String]) throws {
        let parsed = try Self.parser.parse(arguments)
        #expect(parsed.operands == ["quizzes", "list"])
        #expect(parsed["state-directory"] == "/s")
        #expect(parsed.has("json"))
    }

    @Test("An option that is given several times has all its values in their order, and the last of them as its value")
    func several() throws {
        let parsed = try Self.parser.parse(["--state=/a", "--json", "x", "--state-directory", "/b", "--json"])
        #expect(parsed.all("state-directory") == ["/a", "/b"])
        #expect(parsed["state-directory"] == "/b")
        #expect(parsed.all("json") == ["", ""])
        #expect(parsed.all("help") == [])
        #expect(parsed.names == ["state-directory", "json"])
    }

    @Test("Two dashes end the options; one is a word")
    func dashes() throws {
        let operands = try Self.parser.parse(["submit", "-", "--", "--json"]).operands
        #expect(operands == ["submit", "-", "--json"])
    }

    @Test(
        "What is not known or has no value is named",
        arguments: [
            (["--nonsense"], "unknown option --nonsense"), (["-x"], "unknown option -x"),
            (["--state-directory"], "--state-directory needs a value"),
            (["--state="], "--state-directory: the value is empty; give a value"),
            (["--state-directory", ""], "--state-directory: the value is empty; give a value"),
            (["--json=1"], "unknown option --json=1"),
        ])
    func errors(_ arguments: [String], _ message: String) {
        #expect(throws: UsageError(message)) { try Self.parser.parse(arguments) }
    }
}
