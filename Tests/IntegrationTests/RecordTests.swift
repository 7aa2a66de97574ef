import Configuration
import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing

/// “watchlink record”: cassettes of running devices, and of devices from their start.
@Suite("Recordings of devices")
struct RecordTests {
    private let bench: TestBench
    private var folder: String { bench.path + "/cassettes" }
    init() throws { bench = try TestBench() }

    private func json(_ words: String...) throws -> JSONValue {
        let result = try bench.watchlink(words + ["--json"])
        return try JSONDecoder().decode(JSONValue.self, from: Data(result.output.utf8))
    }

    /// Starts a recording of running devices, and waits until it has begun.
    private func record(_ words: String...) throws -> BackgroundProcess {
        let process = try BackgroundProcess(
            "record", executable: TestBench.program("watchlink"),
            arguments: ["record", "--state-directory", bench.state().path, "--into", folder] + words, mergesOutput: true
        )
        #expect(
            process.waitForLines(containing: "end the recording with Ctrl-C", within: TestBench.limit),
            "\(process.lines)")
        return process
    }

    @Test("Both services are recorded until a signal; the cassettes have the quiz's way, and not a word of it")
    func services() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let recording = try record()
        let quiz = try bench.write(
            "quiz.json",
            #"{"title": "Lieblingsfarbe Kornblumenblau", "takenAt": "2026-11-20T18:30:00Z", "answers": [{"question": "Which?", "choice": "Kornblumenblau", "points": 4}]}"#
        )
        try bench.expectCode(0, of: ["submit", quiz, "--wait"])
        recording.signal(SIGINT)
        #expect(recording.wait(within: TestBench.limit) == 0, "\(recording.lines)")
        #expect(recording.lines.contains { $0.hasPrefix("host: \(folder)/phone-1, ") }, "\(recording.lines)")

        let words = try bench.write("words.txt", "Kornblumenblau\nLieblingsfarbe\nabc\n")
        let check = try bench.watchlink(["record", "check", folder, "--secrets", words])
        #expect(check.code == 0, "\(check)")
        #expect(check.output.contains("\(folder)/watch-1: complete; "), "\(check)")
        #expect(check.output.contains("2 secrets were searched for"), "\(check)")
        #expect(check.output.contains("1 secrets are shorter than 4 bytes"), "\(check)")

        let shown = try json("inspect", folder + "/watch-1")
        let kinds = shown["events"]?.array?.compactMap { $0["k"]?.string } ?? []
        #expect(kinds == ["present", "present", "sendMessageData", "write", "read", "replyHandler"], "\(shown)")
        let text = try bench.watchlink(["inspect", folder + "/phone-1"]).output
        #expect(text.contains("didReceiveMessageDataWithReply"), "\(text)")
        #expect(text.contains(#""~class":"string=QuizData""#), "\(text)")
        #expect(companion.stop(within: TestBench.limit) == 0)
        #expect(host.stop(within: TestBench.limit) == 0)
    }

    @Test("A value at a listed key path is in the cassette, and the check finds it there and nowhere else")
    func keptPath() throws {
        let host = try bench.start("host")
        let companion = try bench.start("companion")
        let recording = try record("--keep", "dataKey.title")
        try bench.expectCode(0, of: ["submit", try bench.quizzes(1, file: "one.json"), "--wait"])
        recording.signal(SIGTERM)
        #expect(recording.wait(within: TestBench.limit) == 0)
        _ = (companion.stop(within: TestBench.limit), host.stop(within: TestBench.limit))
        let title = try #require(try bench.titles().first)
        let check = try bench.watchlink([
            "record", "check", folder + "/watch-1", "--secrets", try bench.write("words.txt", title + "\n"),
        ])
        #expect(check.code == ExitCode.found.rawValue, "\(check)")
        #expect(check.output.contains("contents.jsonl:1 has the secret in line 1 of the list"), "\(check)")
        #expect(!check.output.contains(title), "\(check)")
    }

    @Test("A recording that keeps all values warns that nothing is redacted, and so does the check of its cassettes")
    func everythingKept() throws {
        let host = try bench.start("host")
        let recording = try record("--keep", "*")
        #expect(
            recording.lines.contains {
                $0.contains("warning: “*” keeps the values at all key paths: nothing is redacted")
            }, "\(recording.lines)")
        recording.signal(SIGTERM)
        #expect(recording.wait(within: TestBench.limit) == 0)
        _ = host.stop(within: TestBench.limit)
        let check = try bench.watchlink(["record", "check", folder])
        #expect(check.output.contains("  warning: “*” keeps the values at all key paths"), "\(check)")
    }

    @Test("A configured recording begins with the service and is complete at its end; each run has its own")
    func configured() throws {
        for run in 1...2 {
            let host = try bench.start("host", config: "{ record: { into: '\(folder)', build: '1.4' } }")
            // It cannot be recorded twice at a time.
            let busy = try bench.watchlink(["record", "host", "--into", bench.path + "/other", "--for", "1s"])
            #expect(busy.code == 1, "\(busy)")
            #expect(busy.errors.contains("the device is already being recorded"), "\(busy)")
            #expect(host.stop(within: TestBench.limit) == 0)
            let manifest = try #require(try json("inspect", "\(folder)/phone-\(run)")["manifest"])
            #expect(manifest["state"] == "complete", "\(manifest)")
            #expect(manifest["build"] == "1.4", "\(manifest)")
            #expect(manifest["program"] == "watchlink-host", "\(manifest)")
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path + "/other"))
    }

    @Test("A program is recorded by its environment; one that is killed leaves a cassette that is not finished")
    func killed() throws {
        let place = bench.path + "/device"
        let phone = try BackgroundProcess(
            "phone", executable: TestBench.program("DeviceProgram"), arguments: [],
            environment: ProcessInfo.processInfo.environment.merging([
                "WATCHLINK_ROLE": "host", "WATCHLINK_SOCKET": place + ".link", "WATCHLINK_DEVICE_STATE": place,
                "WATCHLINK_RECORD": folder, "WATCHLINK_LOG_LEVEL": "debug",
            ]) { $1 }, mergesOutput: true)
        #expect(phone.waitForLines(containing: "session activated", within: TestBench.limit), "\(phone.lines)")
        let events = folder + "/phone-1/events.jsonl"
        let limit = Date().addingTimeInterval(30)
        while try String(contentsOfFile: events, encoding: .utf8).contains("activationDidComplete") == false,
            Date() < limit
        {
            Thread.sleep(forTimeInterval: 0.01)
        }
        phone.kill()
        _ = phone.wait(within: TestBench.limit)
        let check = try bench.watchlink(["record", "check", folder])
        #expect(check.code == 0, "\(check)")
        #expect(
            check.output.contains("not finished: the device still records, or ended without finishing it"), "\(check)")
    }

    @Test("Without a running device nothing is recorded, and a directory without a cassette is named")
    func nothing() throws {
        let none = try bench.watchlink(["record", "--into", folder, "--for", "1s"])
        #expect(none.code == ExitCode.notRunning.rawValue, "\(none)")
        #expect(none.errors.contains("no device is running: nothing was recorded"), "\(none)")
        let check = try bench.watchlink(["record", "check", bench.path])
        #expect(check.code == 1, "\(check)")
        #expect(check.errors.contains("is not a cassette"), "\(check)")
    }
}
