import Configuration
import Foundation
import TestSupport
import Testing
import VirtualTime

/// Contents of recordings, and builds that get values which they do not know.
@Suite("Lint of cassettes", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct LintCassettesTests {
    private static let pair = TestBench.program("ReplayPair").path(percentEncoded: false)
    private static let library = "\(pair) library"

    /// The recordings, made once for all tests.
    private static let cassettes = Result { try Cassettes() }

    /// The library's recordings: with the values that it decides by, and with none.
    private struct Cassettes {
        let bench: TestBench
        var kept: String { "\(bench.path)/kept" }
        var hidden: String { "\(bench.path)/hidden" }

        init() throws {
            bench = try TestBench()
            try LintCassettesTests.record("", into: kept)
            let app = LintCassettesTests.library
            try LintCassettesTests.explore(app, app, into: hidden)
        }
    }

    /// Records a pair whose phone's app has a change, and shows some values.
    private static func record(_ change: String, into folder: String) throws {
        let phone = change.isEmpty ? library : "\(library) --change '\(change)'"
        try explore(phone, library, into: folder, keeping: ["question", "kind", "version"])
    }

    private static func explore(
        _ phone: String, _ watch: String, into folder: String, keeping kept: [String] = []
    ) throws {
        let result = try TestBench.run(
            "watchlink",
            [
                "explore", "--phone", phone, "--watch", watch, "--seeds", "1...1", "--kills", "0", "--hazards", "none",
                "--record", folder,
            ] + kept.flatMap { ["--keep", $0] })
        try #require(result.code == 0, "\(result.output)\(result.errors)")
    }

    private static func lint(_ words: String...) throws -> CommandResult {
        try TestBench.run("watchlink", ["lint"] + words)
    }

    private static func json(_ result: CommandResult) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
    }

    private static func names(_ report: JSONValue, from level: String = "decodes") -> [String] {
        (report["findings"]?.array ?? []).filter { $0["level"]?.string == level && $0["isNote"] != .boolean(true) }
            .compactMap { $0["name"]?.string }
    }

    @Test(
        "A build that traps, does not answer or hangs with a value that it does not know is named; one that copes is not",
        arguments: [
            ("trap", "unseen-crash", "Fatal error: Unexpectedly found nil"),
            ("ignore", "unseen-unanswered", "left a message without an answer"),
            ("hang", "unseen-crash", "deadlocked: the main thread waits while it has work to do at"), ("", "", ""),
        ])
    func unseen(_ change: String, _ rule: String, _ text: String) throws {
        let build = Self.library + (change.isEmpty ? "" : " --change \(change)")
        let folder = try Self.cassettes.get().kept
        let result = try Self.lint("--cassettes", folder, "--phone", build, "--level", "decodes")
        let name = "[watch message question \(rule)]"
        #expect(result.code == (rule.isEmpty ? 0 : 3), "\(result.output)\(result.errors)")
        #expect(result.output.contains(" decodes: ") == !rule.isEmpty, "\(result.output)")
        #expect(rule.isEmpty || result.output.contains(name) && result.output.contains(text), "\(result.output)")
        // What the phone's build gets was tried; what the watch's would get was not.
        #expect(result.output.contains(", 2 runs with an unknown value: "), "\(result.output)")
        #expect(result.output.contains("[phone reply … untested-enumeration]"), "\(result.output)")
        #expect(!result.output.contains("[watch message … untested"), "\(result.output)")
    }

    @Test("A build that is tried with a later start's cassette has been through the earlier ones")
    func startedAgain() throws {
        let bench = try TestBench()
        let recorded = try TestBench.run(
            "watchlink",
            [
                "explore", "--phone", Self.library, "--watch", Self.library, "--upgrade", "phone@30s=\(Self.library)",
                "--seeds", "1...1", "--kills", "0", "--hazards", "none", "--record", "\(bench.path)/all", "--keep",
                "question",
            ])
        try #require(recorded.code == 0, "\(recorded.output)\(recorded.errors)")
        // The first question comes after the second start.
        let build = "\(Self.library) --change trap-again"
        let found = try Self.lint("--cassettes", "\(bench.path)/all", "--phone", build, "--level", "decodes")
        #expect(found.code == 3, "\(found.output)\(found.errors)")
        #expect(found.output.contains("/phone-2/events.jsonl:"), "\(found.output)")
        #expect(found.output.contains("[watch message question unseen-crash]"), "\(found.output)")
        #expect(found.output.contains("a question of the future"), "\(found.output)")
        try FileManager.default.createDirectory(atPath: "\(bench.path)/one", withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            atPath: "\(bench.path)/all/seed-1/phone-2", toPath: "\(bench.path)/one/phone-2")
        let alone = try Self.lint("--cassettes", "\(bench.path)/one", "--phone", build, "--level", "decodes")
        #expect(alone.code == 0, "\(alone.output)\(alone.errors)")
        #expect(alone.output.contains("one/phone-2 is of a program that was started again: "), "\(alone.output)")
    }

    @Test("The line that a finding names has the event")
    func place() throws {
        let folder = try Self.cassettes.get().kept
        let result = try Self.lint("--cassettes", folder, "--phone", "\(Self.library) --change trap", "--json")
        let report = try Self.json(result)
        let finding = try #require(
            report["findings"]?.array?.first { $0["rule"]?.string == "unseen-crash" }, "\(result.output)")
        let cassette = try #require(finding["cassette"]?.string)
        let lines = try String(contentsOfFile: "\(cassette)/events.jsonl", encoding: .utf8).split(separator: "\n")
        let line = try #require(finding["event"]?.integer.map { lines[Int($0) - 1] })
        #expect(line.contains(#""k":"didReceiveMessageWithReply""#), "\(line)")
        #expect(report["worst"]?.string == "decodes" && report["counts"]?["decodes"]?.integer == 1, "\(report)")
        #expect(report["tried"]?.integer == 2, "\(report)")
    }

    @Test("A build that traps on made-up values is named at the message, with the key paths whose values are hidden")
    func madeUp() throws {
        let folder = try Self.cassettes.get().hidden
        let trapping = try Self.lint(
            "--cassettes", folder, "--phone", "\(Self.library) --change trap", "--level", "decodes")
        #expect(trapping.code == 3, "\(trapping.output)\(trapping.errors)")
        #expect(trapping.output.contains("[watch message made-up-crash]"), "\(trapping.output)")
        #expect(trapping.output.contains("they may be those of watch message question"), "\(trapping.output)")
        let coping = try Self.lint("--cassettes", folder, "--phone", Self.library, "--watch", Self.library)
        #expect(coping.code == 3, "\(coping.errors)")
        #expect(!coping.output.contains(" decodes: ") && !coping.output.contains(": note: "), "\(coping.output)")
    }

    @Test(
        "What differs between the recordings of two builds is named, from its level on",
        arguments: [
            ("rename reply title name", "decodes", "phone reply title required-key"),
            ("to-text reply pages", "decodes", "phone reply pages type-differs"),
            ("drop-key sendMessage book", "decodes", "phone message book required-key"),
            ("value reply kind audiobook", "meaning", "phone reply kind new-raw-value"),
            ("value reply pages 475000", "meaning", "phone reply pages magnitude-differs"),
            ("add reply Title x", "source", "phone reply Title key-spelling"),
            ("add reply subtitle x", "decodes", ""),
        ])
    func builds(_ change: String, _ level: String, _ name: String) throws {
        let bench = try TestBench()
        let newer = bench.path + "/newer"
        try Self.record(change, into: newer)
        let folder = try Self.cassettes.get().kept
        let result = try Self.lint("--cassettes", folder, "--cassettes", newer, "--json", "--level", level)
        #expect(result.code == (name.isEmpty ? 0 : 3), "\(result.output)\(result.errors)")
        let report = try Self.json(result)
        let others = ["decodes", "meaning", "source"].flatMap { Self.names(report, from: $0) }
            .filter { !$0.hasSuffix("no-version-key") }
        #expect(others == (name.isEmpty ? [] : [name]), "\(others)")
        #expect(name.isEmpty || Self.names(report, from: level).contains(name), "\(result.output)")
    }

    @Test("Recordings of one build differ in nothing, and all kinds without a version are told, each once")
    func same() throws {
        let folder = try Self.cassettes.get().kept
        let result = try Self.lint("--cassettes", folder)
        #expect(result.code == 3 && result.errors.isEmpty, "\(result.errors)")
        let kinds = [
            "phone message", "phone reply", "phone user info", "watch message", "watch reply", "watch user info",
        ]
        for kind in kinds { #expect(result.output.contains("[\(kind) no-version-key]"), "\(kind): \(result.output)") }
        #expect(result.output.contains("2 cassettes: 0 decodes, 6 meaning, 0 source"), "\(result.output)")
        // The context has one.
        #expect(!result.output.contains("[phone context no-version-key]"), "\(result.output)")
        #expect(try Self.lint("--cassettes", folder, "--level", "decodes").code == 0)
        let keyed = try Self.lint(
            "--cassettes", folder, "--version-key", "id", "--version-key", "shelf", "--version-key", "reminded",
            "--version-key", "remind", "--version-key", "seen", "--version-key", "page")
        #expect(keyed.code == 0 && keyed.output.contains("0 meaning"), "\(keyed.output)")
    }

    @Test("A finding that is expected does not count until its day, in the file beside the cassettes or a named one")
    func expected() throws {
        let bench = try TestBench()
        let folder = try Self.cassettes.get().kept
        let result = try Self.json(try Self.lint("--cassettes", folder, "--json"))
        func file(_ day: String) throws -> String {
            let changes = Self.names(result, from: "meaning").map {
                #"{ change: "\#($0)", reason: "only one version", until: "\#(day)" }"#
            }
            return try bench.write("\(day).json5", "{ changes: [\(changes.joined(separator: ", "))] }")
        }
        let now = try Self.lint("--cassettes", folder, "--expect", try file("2999-01-01"))
        #expect(now.code == 0 && now.output.contains("expected: only one version"), "\(now.output)\(now.errors)")
        let later = try Self.lint("--cassettes", folder, "--expect", try file("2020-01-01"))
        #expect(later.code == 3 && later.output.contains("until a day that has passed"), "\(later.output)")
        try FileManager.default.copyItem(atPath: folder, toPath: bench.path + "/copy")
        try FileManager.default.copyItem(
            atPath: try file("2999-01-01"), toPath: bench.path + "/copy/expected-lint.json5")
        #expect(try Self.lint("--cassettes", bench.path + "/copy").code == 0)
    }

    @Test("SARIF has the rule, its level, and the file and line of the event")
    func sarif() throws {
        let bench = try TestBench()
        let folder = try Self.cassettes.get().kept
        let file = bench.path + "/lint.sarif"
        let result = try Self.lint("--cassettes", folder, "--sarif", file)
        #expect(result.code == 3, "\(result.errors)")
        let document = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(filePath: file)))
        let run = try #require(document["runs"]?.array?.first)
        let first = try #require(run["results"]?.array?.first)
        #expect(first["ruleId"]?.string == "no-version-key" && first["level"]?.string == "warning", "\(first)")
        #expect(first["properties"]?["level"]?.string == "meaning", "\(first)")
        let place = try #require(first["locations"]?.array?.first?["physicalLocation"])
        #expect(place["artifactLocation"]?["uri"]?.string == "\(folder)/seed-1/phone-1/events.jsonl", "\(place)")
        #expect((place["region"]?["startLine"]?.integer ?? 0) > 1, "\(place)")
        let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
        #expect(rules.contains { $0["shortDescription"]?["text"]?.string == "No content of a kind has a version" })
    }

    @Test("What cannot be checked is refused with what to do")
    func refused() throws {
        let bench = try TestBench()
        let folder = try Self.cassettes.get().kept
        for (words, code, text) in [
            (["--cassettes", bench.path], 1, "is not a cassette"),
            (["--cassettes", "/nowhere"], 1, "does not exist"),
            (["--cassettes", folder, "--level", "wire"], 2, "decodes, meaning"),
            (["--cassettes", folder, "--phone", "/nowhere/app"], 2, "is not an executable file"),
            (["--cassettes", folder, "--phone", "/bin/true"], 1, "linked with the product DeviceControl"),
            (["--cassettes", folder, "--role", "watch"], 2, "--role is for “lint PROGRAM” only"),
            (["--cassettes", folder, "app"], 2, "unexpected “app”"),
            (["/bin/true", "--level", "source"], 2, "--level is for “lint --cassettes DIR” only"),
            (["--cassettes", folder, "--expect", "/nowhere"], 1, "/nowhere"),
        ] as [([String], Int32, String)] {
            let result = try TestBench.run("watchlink", ["lint"] + words)
            #expect(result.code == code && result.errors.contains(text), "\(words): \(result.code) \(result.errors)")
            #expect(result.errors.hasPrefix("watchlink lint: ") || code == 2, "\(words): \(result.errors)")
            #expect(!result.errors.contains("explore"), "\(words): \(result.errors)")
        }
        let watch = try Self.lint(
            "--cassettes", "\(folder)/seed-1/watch-1", "--phone", Self.library, "--level", "decodes")
        #expect(watch.code == 0 && watch.output.contains("no cassette is of the phone's app"), "\(watch.output)")
    }
}
