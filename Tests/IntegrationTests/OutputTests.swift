import Configuration
import Foundation
import Glibc
import Processes
import ServiceRuntime
import TestSupport
import Testing
import VirtualTime

/// Everything the programs print is written, or its loss is reported.
@Suite("Output")
struct OutputTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    /// Runs a program with a redirection of its standard output.
    private func run(_ program: String, _ arguments: [String], _ redirection: String) throws -> CommandResult {
        let quoted = ([TestBench.program(program).path(percentEncoded: false)] + arguments).map { "'\($0)'" }.joined(
            separator: " ")
        return try TestBench.shell("\(quoted) \(redirection)")
    }

    @Test("No command succeeds when its output cannot be written", .timeLimit(.minutes(5)))
    func fullDisk() throws {
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        let submitted = try bench.watchlink(["submit", try bench.quizzes(2), "--wait", "--json"])
        let results = try JSONDecoder().decode([JSONValue].self, from: Data(submitted.output.utf8))
        let quiz = try #require(results.first?["identifier"]?.string)
        let exported = try bench.write("exported.json", try bench.watchlink(["quizzes", "export"]).output)
        let scenario = try bench.write("s.json5", "{ name: 'x', steps: [{ do: 'submit' }] }")
        let archive = bench.path + "/archive.plist"
        try PropertyListSerialization.data(fromPropertyList: ["key": 1], format: .binary, options: 0)
            .write(to: URL(filePath: archive))
        let prefix = bench.path + "/prefix"
        let layer = ProjectFiles.root.appending(path: "Tests/Adopted/Shared").path(percentEncoded: false)
        let programs = ["--phone", "/bin/true", "--watch", "/bin/true"]
        // Exploration is not available with the thread sanitizer.
        let exploring =
            ["explore"] + (World.isAvailable ? programs + ["--hours", "0.001", "--seeds", "1...1"] : ["--help"])
        let cassette = ProjectFiles.root.appending(path: "Tests/Formats/0.2.0/cassettes/library-phone")
            .path(percentEncoded: false)
        let replayed = TestBench.program("ReplayPair").path(percentEncoded: false) + " library"
        let lines: [[String]] = [
            ["demo"], ["run", "--state-directory", bench.path + "/run"] + programs,
            ["submit", try bench.quizzes(1, file: "one.json")], ["status"], ["status", "--json"], ["watch"],
            ["watch", "--json"], ["records"], ["records", "quizzes", "list"], ["quizzes", "list"],
            ["quizzes", "show", quiz], ["quizzes", "count"],
            ["quizzes", "export"], ["quizzes", "export", "--format", "csv"], ["quizzes", "import", exported],
            ["quizzes", "backup", bench.path + "/copy.sqlite"], ["quizzes", "verify"], ["quizzes", "vacuum"],
            ["quizzes", "delete", quiz], ["outbox", "list"], ["ledger"], ["ledger", "companion", "--json"],
            ["timeline"], ["metrics"],
            ["log-level"], ["doctor"], ["doctor", "--json"], ["device"], ["watches"], ["watches", "code"],
            ["link", "status"], ["faults"], ["scenario", "check", scenario], ["scenario", "run", scenario],
            ["record", "--into", bench.path + "/cassettes", "--for", "10ms"], ["inspect", archive],
            ["inspect", archive, archive, "--json"], ["install", "--prefix", prefix],
            ["uninstall", "--prefix", prefix], ["man"], ["completion", "bash"], ["help"], ["help", "faults"],
            ["--version"], exploring, ["replay", cassette, "--compare", cassette], ["contract", cassette],
            ["contract", cassette, "--pact"],
            // Without worlds it fails before it prints.
            World.isAvailable
                ? ["skew", "--phones", replayed, "--watches", replayed, "--hours", "0.001"] : ["skew", "--help"],
            ["lint", TestBench.program("PlainProgram").path(percentEncoded: false), "--role", "watch"],
            ["lint", "--cassettes", cassette],
            ["adopt", layer, "--into", bench.path + "/adopted", "--watchlink", "https://example.org/WatchLink.git"],
            ["new", "Steps", "--into", bench.path + "/Steps", "--watchlink", "https://example.org/WatchLink.git"],
        ]
        for line in lines {
            let result = try run("watchlink", ["--state-directory", bench.state().path] + line, "> /dev/full")
            #expect(result.code == 1, "\(line): \(result)")
            #expect(
                result.errors.contains("standard output cannot be written: No space left on device"),
                "\(line): \(result)")
        }
        // New commands must be added here.
        let known = try bench.watchlink(["--help"]).output.split(separator: "\n").drop { !$0.hasPrefix("Commands") }
            .dropFirst().prefix { $0.hasPrefix("  ") }.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(known.count > 15)
        #expect(Set(known).subtracting(lines.compactMap(\.first)) == [])
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
        for program in [
            "watchlink-host", "watchlink-companion", "watchlink-simulate", "watchlink-torture", "watchlink-explore",
            "watchlink-scenario", "watchlink-player", "watchlink-certify",
        ] {
            for option in ["--help", "--version"] {
                let result = try run(program, [option], "> /dev/full")
                #expect(result.code == 1, "\(program) \(option): \(result)")
            }
        }
        for option in ["--check", "--print-config"] {
            let result = try run("watchlink-host", [option], "> /dev/full")
            #expect(result.code == 1, "\(option): \(result)")
        }
    }

    @Test("All programs print through the writer that checks the result")
    func oneWriter() throws {
        // The benchmark prints for people only, and the operator `print()` of Combine prints as Swift does.
        let swift = ProjectFiles.all(below: "Sources", suffix: ".swift").filter { file in
            !["/watchlink-bench/", "/Faces/Combine/"].contains { file.path(percentEncoded: false).contains($0) }
        }
        #expect(swift.count > 100)
        for file in swift {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            let wrong = lines.filter { line in
                guard let place = line.range(of: "print("), !line.contains("//") else { return false }
                let before = line[..<place.lowerBound]
                return before.hasSuffix("Swift.")
                    || !(before.last.map { $0.isLetter || $0 == "." } ?? false) && !before.hasSuffix("func ")
            }
            #expect(wrong == [], "\(file.lastPathComponent)")
        }
    }

    @Test("A reader that stops reading ends a command silently", arguments: ["", "trap '' PIPE; "])
    func closedPipe(_ disposition: String) throws {
        let program = TestBench.program("watchlink").path(percentEncoded: false)
        let result = try TestBench.shell(
            "set -o pipefail; \(disposition)'\(program)' man watchlink-events | head -n 1")
        #expect(result.errors == "")
        #expect(result.output.split(separator: "\n").count == 1, "\(result)")
        // A page longer than a pipe's buffer is cut off: 128 plus the signal's number, as with any program.
        let cut = try TestBench.shell(
            "set -o pipefail; \(disposition)'\(program)' man watchlink-events | (exec 0<&-; sleep 0.3)")
        #expect(cut.code == 128 + SIGPIPE, "\(cut)")
        #expect(cut.errors == "", "\(cut)")
    }

    @Test("Every scenario is in the report, also after a failed or unreadable one")
    func junit() throws {
        let good = try bench.write(
            "good.json5", "{ name: 'good', steps: [{ do: 'submit' }, { do: 'settle' }], expect: { stored: 1 } }")
        let bad = try bench.write(
            "bad.json5", "{ name: 'bad & <ugly>', steps: [{ do: 'submit' }, { do: 'settle' }], expect: { stored: 2 } }")
        let broken = try bench.write("broken.json5", "{ name: 'broken' }")
        let junit = bench.path + "/junit.xml"
        let result = try bench.watchlink(["scenario", "run", bad, broken, good, "--junit", junit, "--json"])
        #expect(result.code == ExitCode.notConfigured.rawValue, "\(result)")
        #expect(result.errors.contains("broken.json5"))
        let outcomes = try JSONDecoder().decode([JSONValue].self, from: Data(result.output.utf8))
        #expect(outcomes.map { $0["scenario"]?.string } == ["bad & <ugly>", broken, "good"])
        #expect(outcomes.map { $0["error"]?.string == nil } == [true, false, true])
        let text = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(text.matches(of: /<testsuite\s/).count == 3)
        #expect(text.contains("name=\"bad &amp; &lt;ugly&gt;\""))
        #expect(text.contains("failures=\"1\" errors=\"0\""))
        #expect(text.contains("failures=\"0\" errors=\"1\""))
        #expect(text.contains("failures=\"0\" errors=\"0\""))
        // A failure counts, whatever follows.
        try bench.expectCode(1, of: ["scenario", "run", bad, good])
        let checked = try bench.watchlink(["scenario", "check", good, broken, "--json"])
        let listed = try JSONDecoder().decode([JSONValue].self, from: Data(checked.output.utf8))
        #expect(listed.count == 2)
        #expect(listed.last?["error"]?.string?.contains("steps") == true, "\(listed)")
    }
}
