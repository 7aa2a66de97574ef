import Foundation
import Processes
import ServiceRuntime
import TestSupport
import Testing
import VirtualTime

/// Recordings of a host that serves several watches at the same time, and their replays.
@Suite(
    "Replays of a host with several watches",
    .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ReplayedWatchesTests {
    private static let services = TestBench.program("Workouts").path(percentEncoded: false)
    /// The key paths of the values that a host checks before it stores a document, and of its answer.
    private static let kept = [
        "name", "verdict", "dataKey.samples[].rate", "dataKey.answers[].points", "dataKey.gradePointAverage",
    ]
    private let bench: TestBench

    init() throws { bench = try TestBench() }

    private func start(_ service: String, _ state: StateDirectory, _ configuration: String) throws -> BackgroundProcess
    {
        let file = try bench.write("\(service)-\(UUID()).json5", configuration)
        let process = try BackgroundProcess(
            service, executable: URL(filePath: Self.services),
            arguments: [service, "--state-directory", state.path, "--config", file, "--log-level", "info"])
        try #require(
            process.waitForLines(containing: "\(service): ready", within: TestBench.limit),
            "\(process.lines.joined(separator: "\n"))")
        return process
    }

    private func workout(_ number: Int) throws -> String {
        try bench.write(
            "workout-\(number).json",
            #"{"sport": "run \#(number)", "startedAt": "2026-11-20T18:30:00.250Z", "samples": [{"seconds": 0, "rate": 90}]}"#
        )
    }

    /// Records a host to which each watch sends documents, one after the other.
    ///
    /// - Parameters:
    ///   - watches: The number of watches; the last one sends workouts, all others quizzes.
    ///   - isOnDemand: True to record with “watchlink record”, which begins when the watches are connected.
    /// - Returns: The path of the cassette.
    private func recording(of watches: Int, isOnDemand: Bool = false) throws -> String {
        let folder = bench.path + "/cassettes"
        let kept = Self.kept.map { "'\($0)'" }.joined(separator: ", ")
        let host = try start(
            "host", bench.state(), isOnDemand ? "{}" : "{ record: { into: '\(folder)', keep: [\(kept)] } }")
        let states = (1...watches).map { bench.state("watch-\($0)") }
        var companions: [BackgroundProcess] = []
        for (place, state) in states.enumerated() {
            companions.append(
                try start("companion", state, "{ link: { socket: '\(bench.state().linkSocket)' } }"))
            // So that the names of the watches follow their numbers.
            host.expectLines(place + 1, containing: "peer connected")
        }
        let recorder = isOnDemand ? try record(into: folder) : nil
        for round in 1...3 {
            for (place, state) in states.enumerated() {
                let words =
                    place == watches - 1
                    ? ["submit", "--application", "workouts", try workout(round)]
                    : ["submit", try bench.quizzes(1, file: "quiz-\(place)-\(round).json")]
                try bench.expectCode(0, of: words, state: state)
            }
        }
        for (place, companion) in companions.enumerated() {
            companion.expectLines(3, containing: place == watches - 1 ? "workout replied" : "quiz replied")
        }
        recorder?.signal(SIGINT)
        if let recorder { #expect(recorder.wait(within: TestBench.limit) == 0, "\(recorder.lines)") }
        for companion in companions { #expect(companion.stop(within: TestBench.limit) == 0) }
        #expect(host.stop(within: TestBench.limit) == 0)
        return folder + "/phone-1"
    }

    private func record(into folder: String) throws -> BackgroundProcess {
        let process = try BackgroundProcess(
            "record", executable: TestBench.program("watchlink"),
            arguments: ["record", "host", "--state-directory", bench.state().path, "--into", folder]
                + Self.kept.flatMap { ["--keep", $0] },
            mergesOutput: true)
        #expect(
            process.waitForLines(containing: "end the recording with Ctrl-C", within: TestBench.limit),
            "\(process.lines)")
        return process
    }

    private func replay(_ path: String, _ host: String, _ words: [String] = []) throws -> CommandResult {
        try TestBench.run("watchlink", ["replay", path, "--phone", host, "--service", "--verbose"] + words)
    }

    @Test("Each watch is played its part at the same time, and a difference names the watch with which it shows")
    func twoWatches() throws {
        let path = try recording(of: 2)
        let check = try TestBench.run("watchlink", ["record", "check", path])
        #expect(check.code == 0 && check.output.contains(": complete; "), "\(check)")
        let shown = try TestBench.run("watchlink", ["inspect", path]).output.split(separator: "\n")
        let reads = shown.filter { $0.contains(" read ") }
        #expect(reads.count == 6 && reads.count { $0.contains("of #1,") } == 3, "\(reads)")
        for words in [[], ["--accept"], [], ["--seed", "7"]] {
            let same = try TestBench.run(
                "watchlink", ["replay", path, "--phone", "\(Self.services) host", "--service"] + words)
            #expect(same.code == 0, "\(same.output)\(same.errors)")
            #expect(
                words == ["--accept"] || same.output.contains(": same\n") && same.output.contains("7 of 7 deeds"),
                "\(same.output)")
        }
        // This build knows no workouts, which only the second watch sends.
        let host = TestBench.program("watchlink-host").path(percentEncoded: false)
        let changed = try replay(path, host)
        #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
        #expect(changed.output.contains(", watch2: reply: "), "\(changed.output)")
        #expect(!changed.output.contains(", watch: "), "\(changed.output)")
        let machine = try replay(path, host, ["--json"])
        #expect(machine.output.contains(#""watch" : "watch2""#), "\(machine.output)")
    }

    @Test("A recording of a running host has its watches from the beginning on")
    func onDemand() throws {
        let path = try recording(of: 2, isOnDemand: true)
        let same = try replay(path, "\(Self.services) host")
        #expect(same.code == 0 && same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        #expect(same.output.contains("6 of 6 deeds"), "\(same.output)")
        let changed = try replay(path, TestBench.program("watchlink-host").path(percentEncoded: false))
        #expect(changed.code == 3 && changed.output.contains(", watch2: reply: "), "\(changed.output)")
    }

    @Test("Three watches are three parts, and real time has them, too")
    func threeWatches() throws {
        let path = try recording(of: 3)
        for words in [[], ["--real-time"]] {
            let same = try TestBench.run(
                "watchlink", ["replay", path, "--phone", "\(Self.services) host", "--service"] + words)
            #expect(same.code == 0 && same.output.contains(": same\n"), "\(same.output)\(same.errors)")
            #expect(same.output.contains("10 of 10 deeds"), "\(same.output)")
        }
        let changed = try replay(path, TestBench.program("watchlink-host").path(percentEncoded: false))
        #expect(changed.code == 3 && changed.output.contains(", watch3: reply: "), "\(changed.output)")
    }

    /// Records a host that serves one of its two watches at a time, which a person changes twice.
    ///
    /// The first watch sends quizzes, the second workouts, each one while it is worn.
    private func recordingOfOneAtATime() throws -> String {
        let folder = bench.path + "/cassettes"
        let kept = Self.kept.map { "'\($0)'" }.joined(separator: ", ")
        let host = try start(
            "host", bench.state(),
            "{ companions: { serving: 'active' }, record: { into: '\(folder)', keep: [\(kept)] } }")
        let states = (1...2).map { bench.state("watch-\($0)") }
        var companions: [BackgroundProcess] = []
        for (place, state) in states.enumerated() {
            companions.append(
                try start("companion", state, "{ link: { socket: '\(bench.state().linkSocket)' } }"))
            host.expectLines(place + 1, containing: "peer connected")
        }
        for round in 1...3 {
            let place = round == 2 ? 1 : 0
            if round > 1 {
                let watch = try String(contentsOfFile: states[place].identity(of: "companion"), encoding: .utf8)
                let words = ["watches", "switch", watch.trimmingCharacters(in: .whitespacesAndNewlines)]
                try bench.expectCode(0, of: words, state: bench.state())
            }
            let words =
                place == 1
                ? ["submit", "--application", "workouts", try workout(round)]
                : ["submit", try bench.quizzes(1, file: "quiz-\(round).json")]
            try bench.expectCode(0, of: words, state: states[place])
            companions[place].expectLines(
                round == 3 ? 2 : 1, containing: place == 1 ? "workout replied" : "quiz replied")
        }
        for companion in companions { #expect(companion.stop(within: TestBench.limit) == 0) }
        #expect(host.stop(within: TestBench.limit) == 0)
        return folder + "/phone-1"
    }

    @Test("A host that serves one watch at a time is replayed as one")
    func oneAtATime() throws {
        let path = try recordingOfOneAtATime()
        let manifest = try String(contentsOfFile: "\(path)/manifest.json", encoding: .utf8)
        #expect(manifest.contains(#""serving" : "active""#), "\(manifest)")
        let shown = try TestBench.run("watchlink", ["inspect", path]).output.split(separator: "\n")
        #expect(!shown.contains { $0.contains(" read ") && $0.contains("of #") }, "it names no watch: \(shown)")
        #expect(shown.count { $0.contains("didDeactivate") } == 2, "\(shown)")
        for words in [[], ["--seed", "7"]] as [[String]] {
            let same = try replay(path, "\(Self.services) host", words)
            #expect(same.code == 0 && same.output.contains(": same\n"), "\(words): \(same.output)\(same.errors)")
            // An answer to each document, and an activation after each change.
            #expect(same.output.contains("6 of 6 deeds"), "\(words): \(same.output)")
        }
        // This build knows no workouts, which only the second watch sends.
        let changed = try replay(path, TestBench.program("watchlink-host").path(percentEncoded: false))
        #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
        #expect(changed.output.contains(", watch2: reply: "), "\(changed.output)")
        #expect(!changed.output.contains(", watch: "), "\(changed.output)")
    }

    @Test("A recording that does not say which message was whose is refused, with what to do")
    func unnamed() throws {
        let path = try recording(of: 2)
        let file = "\(path)/events.jsonl"
        // As an earlier version wrote it.
        let events = try String(contentsOfFile: file, encoding: .utf8).replacing(/,"o":\d+/, with: "")
        try Data(events.utf8).write(to: URL(filePath: file))
        let about = "\(path)/manifest.json"
        let manifest = try String(contentsOfFile: about, encoding: .utf8).replacing(
            #/\s*"serving" : "all",/#, with: "")
        #expect(!manifest.contains("serving"), "\(manifest)")
        try Data(manifest.utf8).write(to: URL(filePath: about))
        let refused = try replay(path, "\(Self.services) host")
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("does not say which message was whose"), "\(refused.errors)")
    }
}
