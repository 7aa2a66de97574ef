import Configuration
import ControlSocket
import Foundation
import Glibc
import Processes
import ServiceRuntime
import Testing

@Suite("Services that do not answer")
struct FrozenServiceTests {
    private let bench: TestBench
    init() throws { bench = try TestBench() }

    @Test("A frozen service is named with its process and advice; the other side is shown")
    func frozen() throws {
        let (host, companion) = (try bench.start("host"), try bench.start("companion"))
        host.signal(SIGSTOP)
        let status = try bench.watchlink(["status"])
        #expect(status.code == ExitCode.notAnswering.rawValue, "\(status)")
        #expect(status.output.contains("the host does not answer (stopped? frozen?): process \(host.identifier)"))
        #expect(status.output.contains("companion: running"))
        let value = try JSONDecoder().decode(
            JSONValue.self, from: Data(try bench.watchlink(["status", "--json"]).output.utf8))
        #expect(value["host"]?["problem"]?.string?.contains("does not answer") == true, "\(value)")
        #expect(value["companion"]?["session"]?.string == "activated")
        for words in [["quizzes", "count"], ["ledger"], ["metrics"], ["faults"], ["device", "host"], ["watch"]] {
            let result = try bench.watchlink(words)
            #expect(result.code == ExitCode.notAnswering.rawValue, "\(words): \(result)")
            #expect((result.errors + result.output).contains("does not answer"), "\(words): \(result)")
        }
        let doctor = try bench.watchlink(["doctor"])
        #expect(doctor.code == 1, "\(doctor.output)")
        #expect(doctor.output.contains("kill -CONT \(host.identifier)"), "\(doctor.output)")
        host.signal(SIGCONT)
        try bench.expectCode(0, of: ["status"])
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A frozen service is worse than one that is not running: the exit code of both is that of the frozen one")
    func frozenAlone() throws {
        let companion = try bench.start("companion")
        try bench.expectCode(ExitCode.notRunning.rawValue, of: ["status"])
        companion.signal(SIGSTOP)
        try bench.expectCode(ExitCode.notAnswering.rawValue, of: ["status"])
        companion.signal(SIGCONT)
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test("A waiting client is notified when its service freezes")
    func frozenMeanwhile() throws {
        let companion = try bench.start("companion")
        let waiting = try BackgroundProcess(
            "submit", executable: TestBench.program("watchlink"),
            arguments: ["--state-directory", bench.state().path, "submit", try bench.quizzes(1), "--wait"],
            mergesOutput: true)
        companion.expectLines(containing: "quiz accepted")
        companion.signal(SIGSTOP)
        waiting.expectLines(containing: "does not answer (stopped? frozen?)")
        companion.signal(SIGCONT)
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test("A companion frozen from the start is reported once, in one sentence")
    func frozenBefore() throws {
        let companion = try bench.start("companion")
        companion.signal(SIGSTOP)
        let result = try bench.watchlink(["submit", try bench.quizzes(1), "--patience", "1500ms"])
        let trouble = "the companion does not answer (stopped? frozen?): process \(companion.identifier) listens at "
        let path = bench.state().companionControlSocket
        #expect(
            result.errors.split(separator: "\n").map(String.init) == [
                "watchlink submit: \(trouble)\(path); waiting up to 1.5 s for it",
                "watchlink submit: \(trouble)\(path); 0 of 1 quizzes were accepted; submit the same files again for the rest; nothing is accepted twice",
            ])
        #expect(result.code == ExitCode.notAnswering.rawValue)
        companion.signal(SIGCONT)
        #expect(companion.stop(within: TestBench.limit) == 0)
    }

    @Test("A working service is awaited, however long its answer takes")
    func alive() throws {
        // Nobody stores the quiz: the companion cannot answer, and sends signs of life for longer than the time-out.
        let companion = try bench.start("companion", level: "debug")
        let client = try ControlClient(path: bench.state().companionControlSocket, timeout: .seconds(3))
        let answer = try client.call(
            "submit",
            [
                "quizzes": .array([
                    [
                        "title": "t", "takenAt": "2026-11-20T18:30:00Z",
                        "answers": .array([["question": "q", "choice": "c", "points": 1]]),
                    ]
                ])
            ])
        let identifier = try #require(answer.array?.first?["identifier"]?.string)
        #expect(throws: ControlClient.Failure.late(after: .seconds(3))) {
            try client.call("wait", ["identifier": .string(identifier)])
        }
        #expect(companion.stop(within: TestBench.limit) == 0)
    }
}
