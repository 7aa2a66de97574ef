import Configuration
import ControlSocket
import Files
import Foundation
import Processes
import QuizSync
import ServiceRuntime
import TestSupport
import Testing

@Suite("Submitting, and permanently failed quizzes")
struct SubmitTests {
    /// The quizzes of a submission that is interrupted: more than are under way at a time.
    private static let many = TestBench.isSanitized ? 1_200 : 3_000

    private let bench: TestBench
    init() throws { bench = try TestBench() }

    /// A command that runs while a test does other things.
    private func submit(_ arguments: [String]) throws -> BackgroundProcess {
        try BackgroundProcess(
            "submit", executable: TestBench.program("watchlink"),
            arguments: ["--state-directory", bench.state().path, "submit"] + arguments,
            environment: ProcessInfo.processInfo.environment, mergesOutput: true)
    }

    private func end(_ process: BackgroundProcess) -> Int32? { process.wait(within: TestBench.limit) }

    private func stored() throws -> Int {
        try #require(Int(try bench.watchlink(["quizzes", "count"]).output.trimmingCharacters(in: .newlines)))
    }

    @Test("The same file again adds nothing; duplicates in one file are two quizzes, in two files one")
    func idempotent() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let file = try bench.quizzes(200)
        let first = try bench.watchlink(["submit", file, "--wait"])
        let again = try bench.watchlink(["submit", file, "--wait"])
        #expect(first.code == 0, "\(first.errors)")
        #expect(again.code == 0, "\(again.errors)")
        #expect(again.output.split(separator: "\n").filter { !$0.hasSuffix(" replied") } == [])
        let added = try stored()
        #expect(added == 200)
        let quiz =
            #"{"title": "t", "takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 3}]}"#
        let (twice, once) = (try bench.write("twice.json", "[\(quiz), \(quiz)]"), try bench.write("once.json", quiz))
        try bench.expectCode(0, of: ["submit", twice, once, "--wait"])
        try bench.expectCode(0, of: ["submit", once, twice, "--wait"])
        let total = try stored()
        #expect(total == 202)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test(
        "A companion killed and restarted during a submission is awaited; each quiz is stored once, in order"
    )
    func restarted() throws {
        let host = try bench.start("host", level: "notice")
        var companion = try bench.start("companion", level: "notice")
        let command = try submit([try bench.quizzes(Self.many), "--wait"])
        for count in [100, 900] {
            command.expectLines(count, containing: " accepted")
            companion.kill()
            command.expectLines(containing: "the companion does not answer")
            companion = try bench.start("companion", level: "notice")
        }
        #expect(end(command) == 0)
        // A batch whose answer was lost with the companion may be delivered before it is submitted again: then its first line says so.
        #expect(command.lines.count { $0.hasSuffix(" replied") } == Self.many)
        let titles = try bench.titles()
        #expect(titles == (0..<Self.many).map { "Quiz \($0)" })
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A companion that stays away ends the wait with the accepted quizzes, and the rest may be submitted later")
    func gone() throws {
        let companion = try bench.start("companion", level: "notice")
        let file = try bench.quizzes(Self.many)
        let command = try submit([file, "--patience", "1s"])
        command.expectLines(64, containing: " accepted")
        companion.kill()
        #expect(end(command) == ExitCode.notRunning.rawValue)
        let accepted = command.lines.count { $0.hasSuffix(" accepted") }
        #expect(accepted < Self.many)
        #expect(
            command.lines.contains {
                $0.contains("\(accepted) of \(Self.many) quizzes were accepted; submit the same files again")
            },
            "\(command.lines)")
        let (again, host) = (try bench.start("companion", level: "notice"), try bench.start("host", level: "notice"))
        try bench.expectCode(0, of: ["submit", file, "--wait"])
        let titles = try bench.titles()
        #expect(titles == (0..<Self.many).map { "Quiz \($0)" })
        _ = (again.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test(
        "A companion killed before it is reached is awaited; a stopped one only on request"
    )
    func notReached() throws {
        var companion = try bench.start("companion", level: "notice")
        companion.kill()
        var command = try submit([try bench.quizzes(2)])
        command.expectLines(containing: "the companion does not answer: no service")
        #expect(command.lines.contains { $0.hasSuffix("; waiting up to 30 s for it") }, "\(command.lines)")
        companion = try bench.start("companion", level: "notice")
        #expect(end(command) == 0)

        #expect(companion.stop(within: TestBench.limit) == 0)
        let stopped = try bench.watchlink(["submit", try bench.quizzes(2)])
        #expect(stopped.code == ExitCode.notRunning.rawValue, "\(stopped)")
        #expect(!stopped.errors.contains("waiting"), "\(stopped)")
        command = try submit([try bench.quizzes(2), "--patience", "1min"])
        command.expectLines(containing: "; waiting up to 60 s for it")
        companion = try bench.start("companion", level: "notice")
        #expect(end(command) == 0)
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test(
        "Quizzes with so many answers that a request holds few of them are submitted, exported and imported")
    func manyAnswers() throws {
        let answers = String(repeating: #",{"question":"q","choice":"c","points":1}"#, count: 1_500).dropFirst()
        let quizzes = (0..<30).map { #"{"title":"\#($0)","takenAt":"2026-11-20T18:30:00Z","answers":[\#(answers)]}"# }
        let file = try bench.write("many.json", "[\(quizzes.joined(separator: ","))]")
        let (host, companion) = (
            try bench.start("host", level: "notice"), try bench.start("companion", level: "notice")
        )
        let result = try bench.watchlink(["submit", file, "--wait"])
        #expect(result.code == 0, "\(result.errors)")
        let exported = try bench.write("export.json", try bench.watchlink(["quizzes", "export"]).output)
        for process in [companion, host] { #expect(process.stop(within: TestBench.limit) == 0) }
        let other = bench.state("other")
        let newcomer = try bench.start("host", state: other, level: "notice")
        let imported = try bench.watchlink(["quizzes", "import", exported], state: other).output
        #expect(imported.hasPrefix("30 imported, 0"))
        #expect(newcomer.stop(within: TestBench.limit) == 0)
    }

    @Test("The ends of more quizzes than an outbox keeps as replied are reported correctly")
    func moreThanListed() throws {
        let processes = [try bench.start("host", level: "notice"), try bench.start("companion", level: "notice")]
        let result = try bench.watchlink(["submit", try bench.quizzes(12_000), "--wait"])
        #expect(result.code == 0, "\(result.errors)")
        let others = result.output.split(separator: "\n").filter {
            !$0.hasSuffix("accepted") && !$0.hasSuffix("replied")
        }
        #expect(others.isEmpty, "\(others.prefix(3))")
        // A quiz that was never accepted is not mistaken for one of those.
        let client = try ControlClient(path: bench.state().companionControlSocket, timeout: .seconds(30))
        let unknown = try client.call("wait", ["identifier": .string(UUID().uuidString)])
        #expect(unknown["status"] == "failed")
        #expect(unknown["reason"]?.string?.hasPrefix("the outbox does not list it") == true, "\(unknown)")
        for process in processes.reversed() { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test("JSON is one array, with the ends if they are awaited")
    func json() throws {
        let (companion, host) = (try bench.start("companion"), try bench.start("host"))
        for (arguments, status) in [([], "accepted"), (["--wait"], "replied")] {
            let file = try bench.quizzes(70, file: "\(status).json")
            let result = try bench.watchlink(["submit", file, "--json"] + arguments)
            let values = try #require(try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8)).array)
            #expect(values.count == 70)
            let statuses = Set(values.compactMap { $0["status"]?.string })
            #expect(statuses.isSubset(of: [status, "replied"]))
        }
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A waiting command prints the reason, each once")
    func reasons() throws {
        let companion = try bench.start("companion", config: "{ link: { longestReconnect: 0.1 } }")
        let command = try submit([try bench.quizzes(1), "--wait"])
        command.expectLines(containing: "waiting: not connected to the host")

        var host = try bench.start("host", config: "{ companions: { pairing: 'code' } }")
        command.expectLines(containing: "must show the code of")
        let status = try bench.watchlink(["status", "--json"]).output
        #expect(status.contains("must show the code of"))
        #expect(host.stop(within: TestBench.limit) == 0)

        host = try bench.start("host")
        #expect(end(command) == 0)
        #expect(command.lines.count { $0.contains("must show the code of") } == 1, "\(command.lines)")
        #expect(command.lines.last?.hasSuffix(" replied") == true, "\(command.lines)")
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test(
        "The reason names the obstacle",
        arguments: [
            (["device", "companion", "link-down"], "the link is down", ["device", "companion", "link-up"]),
            (["device", "companion", "wrist-down"], "not in the foreground", ["device", "companion", "wrist-up"]),
            (["device", "host", "uninstall"], "the host lacks the app", ["device", "host", "install"]),
            (["device", "companion", "uninstall"], "the companion lacks the app", ["device", "companion", "install"]),
            (["device", "host", "reboot"], "has not been unlocked", ["device", "host", "unlock"]),
            (["faults", "disk", "full"], "the host's database is not available", ["faults", "disk", "none"]),
            (
                ["faults", "companion", "reachability", "never"], "a fault on demand",
                ["faults", "companion", "reachability", "right"]
            ),
        ])
    func obstacles(_ trouble: [String], _ reason: String, _ end: [String]) throws {
        let host = try bench.start("host")
        let companion = try bench.start(
            "companion", config: "{ link: { longestReconnect: 0.1 }, outbox: { longestRetry: 0.5 } }")
        companion.expectLines(containing: "reachable=true")
        try bench.expectCode(0, of: trouble)
        let command = try submit([try bench.quizzes(1), "--wait"])
        // Other obstacles may be named before it, as the devices learn of each other's state.
        command.expectLines(containing: reason)
        try bench.expectCode(0, of: end)
        #expect(self.end(command) == 0)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
    }

    @Test("A watch that the host is not serving now gets that as the reason")
    func otherWatch() throws {
        let host = try bench.start("host", config: "{ companions: { serving: 'active' } }")
        let first = try bench.start("companion")
        first.expectLines(containing: "reachable=true")
        let state = bench.state("other")
        let second = try bench.start(
            "companion", state: state, config: "{ link: { socket: '\(bench.state().linkSocket)' } }")
        let command = try BackgroundProcess(
            "submit", executable: TestBench.program("watchlink"),
            arguments: ["--state-directory", state.path, "submit", try bench.quizzes(1), "--wait"],
            environment: ProcessInfo.processInfo.environment, mergesOutput: true)
        command.expectLines(containing: "the host does not serve this watch: another watch is active")
        command.kill()
        _ = (
            second.stop(within: TestBench.limit), first.stop(within: TestBench.limit),
            host.stop(within: TestBench.limit)
        )
    }

    /// Submits quizzes that the host refuses, as others with their identifiers exist.
    private func conflicts() throws -> (file: String, identifiers: [String]) {
        let identifiers = (0..<3).map { _ in UUID().uuidString }
        func file(_ title: String) throws -> String {
            let quizzes = identifiers.map {
                #"{"identifier": "\#($0)", "title": "\#(title)", "takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 3}]}"#
            }
            return try bench.write("\(title).json", "[\(quizzes.joined(separator: ","))]")
        }
        let companion = try bench.start("companion")
        try bench.expectCode(0, of: ["submit", try file("first"), "--wait"])
        _ = companion.stop(within: TestBench.limit)
        // The companion forgets that it had them.
        try bench.removeDatabase("outbox.sqlite")
        return (try file("second"), identifiers)
    }

    @Test("Permanently failed quizzes are listed, shown, resent and dropped, with and without the companion")
    func failed() throws {
        let host = try bench.start("host")
        let (file, identifiers) = try conflicts()
        var companion = try bench.start("companion")
        try bench.expectCode(1, of: ["submit", file, "--wait"])
        let list = try bench.watchlink(["outbox", "list"]).output
        for identifier in identifiers { #expect(list.contains(identifier)) }
        #expect(list.components(separatedBy: "different content is already stored").count == 4)
        let shown = try bench.watchlink(["outbox", "show", identifiers[0]]).output
        #expect(shown.contains("second"))
        #expect(shown.contains("failed"))

        // Still conflicting: it fails again.
        let retried = try bench.watchlink(["outbox", "retry", identifiers[0]]).output
        #expect(retried == "\(identifiers[0]) queued again\n")
        companion.expectLines(4, containing: "quiz failed")

        // One conflict is removed. Without the companion.
        #expect(companion.stop(within: TestBench.limit) == 0)
        try bench.expectCode(0, of: ["outbox", "retry", identifiers[1]])
        let dropped = try bench.watchlink(["outbox", "drop", identifiers[2]]).output
        #expect(dropped == "\(identifiers[2]) dropped\n")
        let unknown = UUID().uuidString
        let wrong = try bench.watchlink(["outbox", "retry", identifiers[1], unknown])
        #expect(wrong.code == 1)
        #expect(wrong.output.contains("it has not failed; its state is pending"))
        #expect(wrong.output.contains("quiz \(unknown) is not in the outbox"))
        try bench.expectCode(1, of: ["outbox", "show", unknown])
        let retriedAll = try bench.watchlink(["outbox", "retry", "--all"]).output
        #expect(retriedAll == "\(identifiers[0]) queued again\n")
        #expect(host.stop(within: TestBench.limit) == 0)
        try bench.removeDatabase("quizzes.sqlite")
        let fresh = try bench.start("host")
        companion = try bench.start("companion")
        companion.expectLines(2, containing: "quiz replied")
        let left = try bench.watchlink(["outbox", "list"]).output
        #expect(left == "no quizzes are waiting or failed\n")
        let listed = try bench.watchlink(["quizzes", "list", "--json"]).output
        let places = try [identifiers[1], identifiers[0]].map { try #require(listed.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
        _ = (companion.stop(within: TestBench.limit), fresh.stop(within: TestBench.limit))
    }

    @Test("While a companion starts or stops, its outbox can be read but not changed")
    func held() throws {
        let host = try bench.start("host")
        let (file, identifiers) = try conflicts()
        let companion = try bench.start("companion")
        try bench.expectCode(1, of: ["submit", file, "--wait"])
        #expect(companion.stop(within: TestBench.limit) == 0)
        // A companion holds this lock from its start to its end, also before and after it answers.
        let lock = try #require(try FileLock.claim(bench.state().path(of: "companion/lock")))
        for words in [["retry", "--all"], ["retry", identifiers[0]], ["drop", identifiers[1]]] {
            let result = try bench.watchlink(["outbox"] + words)
            #expect(result.code == 1, "\(words): \(result)")
            #expect(result.output == "", "\(words): \(result)")
            #expect(
                result.errors.contains("nothing was changed: a process uses \(bench.state().path(of: "companion"))"))
        }
        let list = try JSONDecoder().decode(
            JSONValue.self, from: Data(try bench.watchlink(["outbox", "list", "--json"]).output.utf8))
        #expect(list.array?.map { $0["state"]?.string } == ["failed", "failed", "failed"])
        lock.release()
        try bench.expectCode(0, of: ["outbox", "retry", "--all"])
        let dropped = try bench.watchlink(["outbox", "drop", identifiers[1]]).output
        #expect(dropped.contains("its state is pending"))
        // No lock is left held.
        let next = try bench.start("companion")
        next.expectLines(3, containing: "quiz failed")
        for process in [next, host] { #expect(process.stop(within: TestBench.limit) == 0) }
    }

    @Test(
        "Invalid arguments about the outbox are usage errors",
        arguments: [
            ["outbox"], ["outbox", "retyr"], ["outbox", "retry"], ["outbox", "retry", "zzz"],
            ["outbox", "drop", "--all"],
            ["outbox", "list", "all"], ["outbox", "show"], ["submit", "x.json", "--patience", "soon"],
        ])
    func wrongWords(_ arguments: [String]) throws {
        let result = try bench.watchlink(arguments)
        #expect(result.code == ExitCode.usage.rawValue, "\(result)")
    }
}
