import Configuration
import Foundation
import KeyedArchive
import Processes
import QuizSync
import ServiceRuntime
import Testing

@Suite("The command line")
struct CommandLineTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    @Test("The demo shows the complete path of a quiz and succeeds")
    func demo() throws {
        let result = try TestBench.run("watchlink", ["demo", try bench.quizzes(2)])
        #expect(result.code == 0, "\(result)")
        #expect(result.output.contains("companion  sent → replied"))
        #expect(result.output.contains("host       received → replied"))
        #expect(result.output.contains("The host's database contains 2 quizzes"))
        #expect(result.output.contains("host      │ "))
        #expect(!result.output.contains("\u{1B}"))
        // With JSON: only its result on standard output, the logs separately.
        let json = try TestBench.run("watchlink", ["demo", try bench.quizzes(2), "--json"])
        let quizzes = try JSONDecoder().decode([JSONValue].self, from: Data(json.output.utf8))
        #expect(json.code == 0, "\(json)")
        #expect(quizzes.map { $0["status"]?.string } == ["replied", "replied"])
        #expect(json.errors.contains("host      │ "))
    }

    @Test("The demo fails, and names the step, when a quiz cannot be delivered")
    func demoFails() throws {
        let bad = try bench.write(
            "bad.json", #"{"title": " ", "takenAt": "2026-11-20T18:30:00Z", "answers": []}"#)
        let result = try TestBench.run("watchlink", ["demo", bad])
        #expect(result.code == 1)
        #expect(result.errors.contains("step “deliver” failed: 1 of 1"))
        #expect(result.output.contains("title: is empty"))
    }

    @Test("A quiz with emoji and 200 questions arrives complete, and can be shown, changed, exported and deleted")
    func quizzes() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let answers = (0..<200).map { #"{"question": "Frage \#($0) 🥦", "choice": "täglich", "points": \#($0 % 5)}"# }
        let quiz = """
            {"title": "Ernährung, \\"heute\\" 🥗", "takenAt": "2026-11-20T18:30:00.250Z", "answers": [\(answers.joined(separator: ","))]}
            """
        let submitted = try bench.watchlink(["submit", "-", "--wait", "--json"], input: quiz)
        #expect(submitted.code == 0, "\(submitted)")
        let results = try JSONDecoder().decode([JSONValue].self, from: Data(submitted.output.utf8))
        let identifier = try #require(results.first?["identifier"]?.string)

        let shown = try bench.watchlink(["quizzes", "show", identifier, "--json"])
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(shown.output.utf8))
        #expect(value["answers"]?.array?.count == 200)
        #expect(value["answers"]?.array?.last?["question"] == "Frage 199 🥦")
        #expect(value["gradePointAverage"]?.number == 2)
        let list = try bench.watchlink(["quizzes", "list"]).output
        #expect(list.contains("Ernährung"))
        let csv = try bench.watchlink(["quizzes", "export", "--format", "csv"]).output
        #expect(csv.contains("\"Ernährung, \"\"heute\"\" 🥗\""))

        let changed = try bench.write(
            "changed.json",
            #"{"title": "New", "takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 1}]}"#
        )
        try bench.expectCode(0, of: ["quizzes", "update", identifier, changed])
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)

        // The same commands while the host is not running.
        let exported = try bench.watchlink(["quizzes", "export"])
        let kept = try JSONDecoder().decode([JSONValue].self, from: Data(exported.output.utf8))
        #expect(kept.first?["title"] == "New")
        try bench.expectCode(0, of: ["quizzes", "delete", identifier])
        let counted = try bench.watchlink(["quizzes", "count"]).output
        #expect(counted == "0\n")
        try bench.expectCode(1, of: ["quizzes", "show", identifier])
    }

    @Test(
        "An invalid quiz file is refused with the name of the field",
        arguments: [
            (#"{"takenAt": "2026-11-20T18:30:00Z", "answers": []}"#, "title: is missing"),
            (#"{"title": 5, "takenAt": "2026-11-20T18:30:00Z", "answers": []}"#, "title: is not a string"),
            (
                #"{"title": "t", "takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c"}]}"#,
                "answers[0].points: is missing"
            ),
            (#"{"title": "t", "takenAt": "2026-11-20T18:30:00Z", "answers": [], "tittle": 1}"#, "tittle: is unknown"),
            (#"{"title": "t", "#, "the file is not JSON"),
        ])
    func brokenFile(_ text: String, _ message: String) throws {
        let result = try bench.watchlink(["submit", try bench.write("broken.json", text)])
        #expect(result.code == 1)
        #expect(result.errors.contains("broken.json: "), "\(result)")
        #expect(result.errors.contains(message), "\(result)")
    }

    @Test(
        "Invalid content is rejected with its field; the valid quizzes beside it are accepted",
        arguments: [
            (
                #""takenAt": "1969-12-31T23:59:59Z", "answers": [{"question": "q", "choice": "c", "points": 1}]"#,
                "takenAt: is before 1970"
            ),
            (
                #""takenAt": "yesterday", "answers": [{"question": "q", "choice": "c", "points": 1}]"#,
                "takenAt: is not a time"
            ),
            (
                #""takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 5}]"#,
                "answers[0].points: is not between 0 and 4"
            ),
            (
                #""takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 1}], "gradePointAverage": 4"#,
                "gradePointAverage: is not the mean"
            ),
        ])
    func wrongContent(_ content: String, _ message: String) throws {
        let companion = try bench.start("companion")
        let result = try bench.watchlink(
            ["submit", try bench.write("wrong.json", "{\"title\": \"t\", \(content)}"), try bench.quizzes(1)])
        #expect(result.code == 1)
        #expect(result.output.contains("wrong.json rejected: \(message)"), "\(result)")
        #expect(result.output.contains(" accepted\n"))
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test("Status reports both services, and the absence of one")
    func status() throws {
        try bench.expectCode(7, of: ["status"])
        let host = try bench.start("host")
        let half = try bench.watchlink(["status"])
        #expect(half.code == 7)
        #expect(half.output.contains("companion: not running"))
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2), "--wait"])
        let status = try bench.watchlink(["status", "--json"])
        #expect(status.code == 0)
        let value = try JSONDecoder().decode(JSONValue.self, from: Data(status.output.utf8))
        #expect(value["host"]?["quizzes"] == 2)
        #expect(value["host"]?["reachable"] == true)
        #expect(value["host"]?["messages"]?["replied"] == 2)
        #expect(value["companion"]?["session"] == "activated")
        #expect(value["companion"]?["outbox"]?["replied"] == 2)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("Count and history match the database after a restart and a deletion")
    func observersAgree() throws {
        var host = try bench.start("host")
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(3), "--wait"])
        #expect(host.stop(within: TestBench.limit) == 0)
        host = try bench.start("host")
        func count() throws -> JSONValue? {
            let status = try bench.watchlink(["status", "--json"])
            return try JSONDecoder().decode(JSONValue.self, from: Data(status.output.utf8))["host"]?["quizzes"]
        }
        let arrived = try count()
        #expect(arrived == 3)
        try bench.expectCode(0, of: ["submit", try bench.quizzes(2), "--wait"])
        let first = try JSONDecoder().decode(
            [JSONValue].self, from: Data(try bench.watchlink(["quizzes", "list", "--json"]).output.utf8))
        let identifier = try #require(first.first?["identifier"]?.string)
        try bench.expectCode(0, of: ["quizzes", "delete", identifier])
        let counted = try bench.watchlink(["quizzes", "count"]).output
        #expect(counted == "4\n")
        let left = try count()
        #expect(left == 4)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("The ledger shows the fate of a quiz on both sides, follows new entries, and names the cause of a failure")
    func ledger() throws {
        let bench = try TestBench()
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let submitted = try bench.watchlink(["submit", try bench.quizzes(1), "--wait"])
        #expect(submitted.code == 0)
        let identifier = String(submitted.output.prefix(36))
        for side in ["host", "companion"] {
            let shown = try bench.watchlink(["ledger", side, "--message", identifier, "--json"])
            let entry = try JSONDecoder().decode(JSONValue.self, from: Data(shown.output.utf8))
            #expect(entry["state"]?.string == "replied")
            #expect(entry["kind"]?.string == "data")
            #expect(entry["direction"]?.string == (side == "host" ? "incoming" : "outgoing"))
        }
        // A follower gets the next entry, and only its line.
        let follower = try BackgroundProcess(
            "follower", executable: TestBench.program("watchlink"),
            arguments: ["--state-directory", bench.state().path, "ledger", "host", "--follow"], mergesOutput: true)
        follower.expectLines(containing: identifier)
        let second = try bench.watchlink(["submit", try bench.quizzes(1, file: "more.json"), "--wait"])
        follower.expectLines(containing: String(second.output.prefix(36)))
        follower.kill()
        try bench.expectCode(2, of: ["ledger", "nobody"])
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
        try bench.expectCode(7, of: ["ledger"])
    }

    @Test("Device actions are available on the command line: wrist, app, watches, link")
    func devices() throws {
        let bench = try TestBench()
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        host.expectLines(containing: "reachable=true")
        let down = try bench.watchlink(["device", "companion", "wrist-down"])
        #expect(down.code == 0, "\(down)")
        #expect(down.output.contains("foreground, wrist down"))
        host.expectLines(containing: "reachable=false")
        let raised = try bench.watchlink(["device", "companion", "wrist-up", "--json"]).output
        #expect(raised.contains("\"wristDown\" : false"))
        host.expectLines(2, containing: "reachable=true")
        let wrong = try bench.watchlink(["device", "companion", "asleep"])
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("wrist-down"))
        let listed = try bench.watchlink(["watches", "--json"])
        let watches = try JSONDecoder().decode(JSONValue.self, from: Data(listed.output.utf8))
        let watch = try #require(watches.array?.first?["identifier"]?.string)
        #expect(watches.array?.first?["active"]?.boolean == true)
        let complication = try bench.watchlink(["watches", "complication", watch, "on"]).output
        #expect(complication.contains("complication"))
        let unpaired = try bench.watchlink(["watches", "unpair", watch]).output
        #expect(unpaired.contains("unpaired"))
        host.expectLines(2, containing: "reachable=false")
        try bench.expectCode(0, of: ["watches", "pair", watch])
        // Initially, after the wrist was raised, and now.
        host.expectLines(3, containing: "reachable=true")
        try bench.expectCode(2, of: ["watches", "pair"])
        try bench.expectCode(0, of: ["device", "companion", "link-down"])
        host.expectLines(containing: "the link is down")
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("Inspect shows archives and refuses unreadable ones")
    func inspect() throws {
        let quiz = QuizData(
            title: "Täglich", takenAt: Date(timeIntervalSinceReferenceDate: 0),
            answers: [QuizAnswer(question: "q", choice: "c", points: 3)])
        let file = bench.path + "/quiz.bin"
        try quiz.archivedData().write(to: URL(filePath: file))
        let shown = try bench.watchlink(["inspect", file])
        #expect(shown.code == 0)
        #expect(shown.output.contains("root: QuizData #1"))
        #expect(shown.output.contains("title: “Täglich”"))
        #expect(shown.output.contains("NS.time: 0.0"))
        let json = try bench.watchlink(["inspect", "--json", file]).output
        #expect(json.contains("\"$archiver\" : \"NSKeyedArchiver\""))
        let several = try bench.watchlink(["inspect", "--json", file, bench.path + "/missing", file])
        #expect(several.code == 1)
        let lines = several.output.split(separator: "\n")
        #expect(lines.map { $0.contains("\"value\"") } == [true, false, true])
        #expect(lines[1].contains("\"error\""))
        let refused = try bench.watchlink(["inspect", "-"], input: "no archive")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("not a binary property list"))
    }

    @Test(
        "An error begins with the command, whichever program carries it out",
        arguments: [
            "record check nowhere", "contract nowhere", "replay nowhere --phone /bin/true", "inspect nowhere",
            "scenario check nowhere", "skew --cassettes nowhere", "status --follow", "explore --seeds x",
        ])
    func prefix(_ line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let result = try TestBench.run("watchlink", words)
        #expect(result.code != 0 && result.errors.hasPrefix("watchlink \(words[0]): "), "\(result)")
    }

    @Test("Options can appear before or after the commands, and a typo gets a hint")
    func words() throws {
        for words in [
            ["quizzes", "count", "--state-directory", bench.path],
            ["--state-directory=\(bench.path)", "quizzes", "count"],
        ] {
            let result = try TestBench.run("watchlink", words)
            #expect(result.code == 7, "\(words): \(result)")
        }
        let slip = try TestBench.run("watchlink", ["statsu"])
        #expect(slip.code == 2)
        #expect(slip.errors.contains("did you mean “status”?"))
        let nonsense = try TestBench.run("watchlink", ["--nonsense"])
        #expect(nonsense.code == 2, "\(nonsense)")
        let help = try TestBench.run("watchlink", ["--help"]).output
        #expect(help.contains("Examples:"))
        for program in ["watchlink", "watchlink-host", "watchlink-companion"] {
            let version = try TestBench.run(program, ["--version"])
            #expect(version.code == 0)
            #expect(version.output.hasPrefix("\(program) \(Version.number) (commit "))
            #expect(version.output.firstMatch(of: /, Swift 6\.\d+[.\d]*, SQLite 3\.\d+/) != nil, "\(version.output)")
            let value = try JSONDecoder().decode(
                JSONValue.self, from: Data(try TestBench.run(program, ["--version", "--json"]).output.utf8))
            #expect(value["program"]?.string == program)
            #expect(value["version"]?.string == Version.number)
            #expect(value["sqlite"]?.string?.hasPrefix("3.") == true, "\(value)")
            #expect(value["swift"]?.string?.hasPrefix("6.") == true, "\(value)")
        }
    }
}
