import Foundation
import Testing
import VirtualTime

@testable import watchlink_explore

/// Tests of findings converted to scenario files.
@Suite(
    "Findings as scenarios", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct FindingScenarioTests {
    private static let pair = TestBench.program("QuizPair").path(percentEncoded: false)

    private static func device(_ name: String, _ role: String) -> Program {
        Program(
            name: name, executable: pair,
            environment: [
                "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": "{world}/link", "WATCHLINK_LOG_LEVEL": "debug",
                "WATCHLINK_DEVICE_STATE": "{world}/\(name)/state",
                "WATCHLINK_FAULTS": "drop any probability=0.1; lose message for=1s jitter=9s probability=0.1",
            ])
    }

    private static func injected(_ text: String) -> Int {
        text.split(separator: "\n").count { $0.contains("fault injected") }
    }

    @Test("Each kill and each fault becomes a step, and the scenario reproduces them")
    func steps() throws {
        let script = try Script(
            [
                .init(at: .zero, .start(Self.device("phone", "host"))),
                .init(at: .seconds(1), .start(Self.device("watch", "companion"))),
            ], end: .seconds(2_400), hazards: [Hazard("watch")])
        let conductor = try Conductor()
        func errors(_ process: ProcessOutcome) -> String { String(decoding: process.errors, as: UTF8.self) }
        // The behaviour of a seed depends on the build.
        let performance = try #require(
            try (1...UInt64(30)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first {
                performance in
                performance.processes.contains { $0.fate == .killed }
                    && performance.processes.contains { errors($0).contains("lose out message") }
            })
        let bench = try TestBench()
        let file = bench.path + "/kept.json5"
        let scenario = try FindingScenario("findings/seed-7.json", "the “watch” is\nwrong", script, performance)
        try scenario.write(to: file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let faults = performance.processes.reduce(0) { $0 + Self.injected(errors($1)) }
        let steps = text.split(separator: "\n").count { $0.contains("do: \"fault\", rule: \"") }
        // A killed program may not have logged the fault that hit its last package.
        let unsaid = performance.processes.count { $0.fate == .killed }
        #expect((faults...faults + unsaid).contains(steps), "\(steps) steps of \(faults) faults: \(text)")
        #expect(text.split(separator: "\n").count { $0.contains("do: \"kill\"") } == 1, "\(text)")
        #expect(text.contains("name: \"seed-7\",\n  summary: \"the “watch” is"), "\(text)")
        #expect(text.contains("{ at: 0, on: \"phone\", do: \"start\" }"), "\(text)")
        #expect(text.contains("{ at: 2400, on: \"phone\", do: \"clear-faults\" }"), "\(text)")
        let check = try bench.watchlink(["scenario", "check", file])
        #expect(check.code == 0, "\(check.output)\(check.errors)")
        let played = try bench.watchlink([
            "explore", "--phone", Self.pair, "--watch", Self.pair, "--script", file, "--seeds", "1...1", "--traces",
            bench.path,
        ])
        #expect(played.code == 0, "\(played.output)\(played.errors)\(text)")
        let trace = try String(contentsOfFile: bench.path + "/seed-1.txt", encoding: .utf8)
        #expect(Self.injected(trace) > 0, "\(played.output)\(played.errors)\(trace)")
        #expect(trace.contains(": killed\n"), "\(played.output)\(played.errors)")
        let starts = trace.split(separator: "\n").filter { $0.hasPrefix("== phone, ") || $0.hasPrefix("== watch, ") }
        #expect(starts.first?.hasPrefix("== phone, from ") == true, "\(starts)")
        #expect(starts.contains { $0.hasPrefix("== watch, from 1.0") }, "\(starts)")
    }

    @Test("A finding that was made with a scenario is refused: the scenario exists already")
    func directed() throws {
        let player = Self.device("scenario", "host")
        let script = try Script(
            [.init(at: .zero, .start(player))], end: .seconds(1),
            direction: Direction(director: "scenario", cast: [Self.device("phone", "host")]))
        let performance = try Conductor().perform(script, JointCourse(seed: 1))
        #expect(throws: (any Error).self) { try FindingScenario("seed-1.json", "it is wrong", script, performance) }
    }
}
