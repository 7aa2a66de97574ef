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

    /// A host that serves one of its two watches at a time. The first one sends quizzes, the second workouts.
    private struct OneAtATime {
        let host: BackgroundProcess
        var companions: [BackgroundProcess]
        let states: [StateDirectory]
    }

    /// - Parameter folder: The folder for a recording from the host's start.
    private func startOneAtATime(recordingInto folder: String?) throws -> OneAtATime {
        let kept = Self.kept.map { "'\($0)'" }.joined(separator: ", ")
        let record = folder.map { ", record: { into: '\($0)', keep: [\(kept)] }" } ?? ""
        let host = try start("host", bench.state(), "{ companions: { serving: 'active' }\(record) }")
        var trio = OneAtATime(host: host, companions: [], states: (1...2).map { bench.state("watch-\($0)") })
        for (place, state) in trio.states.enumerated() {
            trio.companions.append(try startWatch(state))
            host.expectLines(place + 1, containing: "peer connected")
        }
        return trio
    }

    private func startWatch(_ state: StateDirectory) throws -> BackgroundProcess {
        try start("companion", state, "{ link: { socket: '\(bench.state().linkSocket)' } }")
    }

    private func wear(_ place: Int, _ trio: OneAtATime) throws {
        let watch = try String(contentsOfFile: trio.states[place].identity(of: "companion"), encoding: .utf8)
        let words = ["watches", "switch", watch.trimmingCharacters(in: .whitespacesAndNewlines)]
        try bench.expectCode(0, of: words, state: bench.state())
    }

    /// Sends a document of a watch, and waits until the watch has the answer.
    ///
    /// - Parameter count: The number of answers that it has then.
    private func send(_ place: Int, _ trio: OneAtATime, round: Int, count: Int = 1) throws {
        let words =
            place == 1
            ? ["submit", "--application", "workouts", try workout(round)]
            : ["submit", try bench.quizzes(1, file: "quiz-\(round).json")]
        try bench.expectCode(0, of: words, state: trio.states[place])
        trio.companions[place].expectLines(count, containing: place == 1 ? "workout replied" : "quiz replied")
    }

    private func stop(_ trio: OneAtATime, _ recorder: BackgroundProcess?) {
        recorder?.signal(SIGINT)
        if let recorder { #expect(recorder.wait(within: TestBench.limit) == 0, "\(recorder.lines)") }
        for companion in trio.companions { #expect(companion.stop(within: TestBench.limit) == 0) }
        #expect(trio.host.stop(within: TestBench.limit) == 0)
    }

    /// Records a host that serves one of its two watches at a time, which a person changes twice.
    ///
    /// - Parameter begin: The round in which “watchlink record” begins; nil to record from the host's start.
    private func recordingOfOneAtATime(from begin: Int? = nil) throws -> String {
        let folder = bench.path + "/cassettes"
        let trio = try startOneAtATime(recordingInto: begin == nil ? folder : nil)
        var recorder: BackgroundProcess?
        for round in 1...3 {
            let place = round == 2 ? 1 : 0
            if round > 1 { try wear(place, trio) }
            if round == begin { recorder = try record(into: folder) }
            try send(place, trio, round: round, count: round == 3 ? 2 : 1)
        }
        stop(trio, recorder)
        return folder + "/phone-1"
    }

    /// Replays a recording several times, in virtual and in real time.
    private func expectSame(_ path: String, deeds: Int) throws {
        for words in [[], ["--seed", "7"], ["--real-time"]] as [[String]] {
            let same = try replay(path, "\(Self.services) host", words)
            #expect(same.code == 0 && same.output.contains(": same\n"), "\(words): \(same.output)\(same.errors)")
            #expect(same.output.contains("\(deeds) of \(deeds) deeds"), "\(words): \(same.output)")
        }
    }

    @Test("A host that serves one watch at a time is replayed as one")
    func oneAtATime() throws {
        let path = try recordingOfOneAtATime()
        let manifest = try String(contentsOfFile: "\(path)/manifest.json", encoding: .utf8)
        #expect(manifest.contains(#""serving" : "active""#), "\(manifest)")
        let shown = try TestBench.run("watchlink", ["inspect", path]).output.split(separator: "\n")
        #expect(!shown.contains { $0.contains(" read ") && $0.contains("of #") }, "it names no watch: \(shown)")
        #expect(shown.count { $0.contains("didDeactivate") } == 2, "\(shown)")
        // An answer to each document, and an activation at the start and after each change.
        try expectSame(path, deeds: 6)
        // This build knows no workouts, which only the second watch sends.
        let changed = try replay(path, TestBench.program("watchlink-host").path(percentEncoded: false))
        #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
        #expect(changed.output.contains(", watch2: reply: "), "\(changed.output)")
        #expect(!changed.output.contains(", watch: "), "\(changed.output)")
    }

    @Test(
        "A recording that begins while watches are connected has the one that is worn, whichever it is",
        arguments: 1...3)
    func lateBeginning(round: Int) throws {
        let path = try recordingOfOneAtATime(from: round)
        let check = try TestBench.run("watchlink", ["record", "check", path])
        #expect(check.code == 0 && check.output.contains(": complete; "), "\(check)")
        let shown = try TestBench.run("watchlink", ["inspect", path]).output.split(separator: "\n")
        let present = shown.filter { $0.contains(" present ") }
        #expect(present.count == 3, "\(shown)")
        #expect(present.first?.contains("paired installed active connected reachable") == true, "\(present)")
        #expect(present.dropFirst().first?.hasSuffix("paired installed connected") == true, "\(present)")
        #expect(present.last?.hasSuffix("activated") == true, "\(present)")
        // The answers, and an activation after each change.
        try expectSame(path, deeds: (4 - round) + (3 - round))
        let changed = try replay(path, TestBench.program("watchlink-host").path(percentEncoded: false))
        guard round < 3 else { return #expect(changed.code == 0, "nobody sent a workout: \(changed.output)") }
        #expect(changed.code == 3, "\(changed.output)\(changed.errors)")
        // The one that is worn at the beginning has the first name.
        let (right, wrong) = round == 1 ? (", watch2: reply: ", ", watch: ") : (", watch: reply: ", ", watch2: ")
        #expect(changed.output.contains(right) && !changed.output.contains(wrong), "\(changed.output)")
    }

    @Test("The watch that is worn when a recording begins need not be connected then")
    func absentBeginning() throws {
        let folder = bench.path + "/cassettes"
        var trio = try startOneAtATime(recordingInto: nil)
        #expect(trio.companions[0].stop(within: TestBench.limit) == 0)
        trio.host.expectLines(1, containing: "peer disconnected")
        let recorder = try record(into: folder)
        trio.companions[0] = try startWatch(trio.states[0])
        try send(0, trio, round: 1)
        try wear(1, trio)
        try send(1, trio, round: 2)
        stop(trio, recorder)
        try expectSame(folder + "/phone-1", deeds: 3)
    }

    @Test(
        "A recording of one watch at a time that does not say which it was at its beginning is refused, with what to do"
    )
    func unknownBeginning() throws {
        let path = try recordingOfOneAtATime(from: 1)
        let file = "\(path)/events.jsonl"
        // Readers ignore kinds that they do not know, as an earlier version that did not write this one.
        let events = try String(contentsOfFile: file, encoding: .utf8).replacing(
            #""k":"present""#, with: #""k":"other""#)
        try Data(events.utf8).write(to: URL(filePath: file))
        let refused = try replay(path, "\(Self.services) host")
        #expect(refused.code == 1, "\(refused)")
        #expect(refused.errors.contains("without a word on which one that was"), "\(refused.errors)")
        #expect(refused.errors.contains("record it again"), "\(refused.errors)")
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
