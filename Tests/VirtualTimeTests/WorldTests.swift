import CVirtualTime
import Foundation
import Testing

/// Tests of the options of a world's owner.
@Suite(.enabled(if: virtual_time_is_available(), "Worlds do not exist under the thread sanitizer."))
struct WorldTests {
    @Test(arguments: ["sleep", "tasks", "queues", "groups", "race", "locks", "sockets", "conditions"])
    func worldsOfATemplateAreRepeatable(construct: String) throws {
        let output = try ProbeProgram.run(ProbeProgram.url, [construct, "1", "4", "60000"])
        let lines = output.text.split(separator: "\n")
        try #require(lines.count == 12, "\(output.text)")
        for seed in 0..<4 {
            #expect(lines[3 * seed].contains("end 1, status 0"))
            #expect(lines[3 * seed].contains("mismatches 0"))
            #expect(lines[3 * seed] == lines[3 * seed + 1], "the same seed")
            #expect(lines[3 * seed] == lines[3 * seed + 2], "the decisions of the first run, and nothing drawn")
        }
    }

    @Test func aTemplateTellsHowAWorldEnded() throws {
        let crash = try ProbeProgram.run(ProbeProgram.url, ["crash", "1", "1", "60000"]).text
        #expect(
            crash.contains("seed 1: end 0, status \(SIGABRT)")
                || crash.contains("seed 1: end 0, status \(SIGABRT | 0x80)"), "\(crash)")
        let failure = try ProbeProgram.run(ProbeProgram.url, ["failure", "1", "1", "60000"]).text
        #expect(failure.contains("seed 1: end 2, status \(VIRTUAL_TIME_EXIT_FAILED << 8)"))
        // This one computes forever, and is killed when its real time is up.
        let endless = try ProbeProgram.run(ProbeProgram.url, ["spinning", "1", "1", "300"]).text
        #expect(endless.contains("seed 1: end 0, status \(SIGKILL)"))
    }

    @Test func whatACrashLeavesIsThere() throws {
        let run = try ProbeRun("crash", seed: 1)
        #expect(run.words == ["before"])
        #expect(run.end == virtual_time_end_none)
        #expect(run.exitCode == SIGABRT)
    }

    @Test func givenDecisionsAreTaken() throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let run = try ProbeRun("race", seed: seed)
            let again = try replay("race", seed: seed, run.decisions)
            #expect(run.parting(from: again) == nil)
            // Without given decisions the course is dull, whatever the seed: no interruptions, first in, first out.
            let dull = try replay("race", seed: seed, [])
            #expect(dull.decisions.filter { $0.taken != 0 } == [])
            let other = try replay("race", seed: 99, [])
            #expect(dull.words == other.words)
        }
    }

    private func replay(_ construct: String, seed: UInt64, _ decisions: [ProbeRun.Decision]) throws -> ProbeRun {
        let file = FileManager.default.temporaryDirectory.appending(path: "decisions-\(UUID().uuidString)")
        // In the order in which a world looks them up; it rejects any other order.
        let given = decisions.filter { $0.taken > 0 }.sorted { ($0.place, $0.ordinal) < ($1.place, $1.ordinal) }
        let bytes = given.flatMap { decision in
            var raw = virtual_time_decision()
            (raw.place, raw.ordinal, raw.kind) = (decision.place, decision.ordinal, decision.kind)
            (raw.options, raw.taken) = (decision.options, decision.taken)
            return withUnsafeBytes(of: raw) { Array($0) }
        }
        try Data(bytes).write(to: file)
        // A leftover file in the temporary directory is harmless.
        defer { try? FileManager.default.removeItem(at: file) }
        return try ProbeRun(construct, seed: seed, [VIRTUAL_TIME_DECISIONS: file.path, VIRTUAL_TIME_SEQUEL: "dull"])
    }

    @Test func prioritiesThatChangeAreRepeatable() throws {
        let environment = [VIRTUAL_TIME_STRATEGY: "pct:3:100"]
        var orders: Set<[String]> = []
        for seed in 1...8 as ClosedRange<UInt64> {
            let run = try ProbeRun("locks", seed: seed, environment)
            #expect(run.end == virtual_time_end_ended)
            let again = try ProbeRun("locks", seed: seed, environment)
            #expect(run.parting(from: again) == nil)
            orders.insert(run.words)
        }
        #expect(orders.count > 1)
    }

    @Test func aThreadMayBeLate() throws {
        func runs(_ environment: [String: String]) throws -> [[String]] {
            try (1...12 as ClosedRange<UInt64>).map { seed in
                let run = try ProbeRun("lateness", seed: seed, environment)
                let again = try ProbeRun("lateness", seed: seed, environment)
                #expect(run.parting(from: again) == nil)
                return run.words
            }
        }
        let prompt = try runs([:])
        #expect(prompt.filter { $0 != ["job", "timer"] } == [])
        let late = try runs([VIRTUAL_TIME_STALL: "2:30"])
        #expect(late.contains(["timer", "job"]))
    }

    @Test(arguments: ["entropy", "tasks", "queues", "locks", "race", "operations", "notifications"])
    func noDecisionDependsOnAnAddress(construct: String) throws {
        for seed in 1...3 as ClosedRange<UInt64> {
            let usual = try ProbeRun(construct, seed: seed)
            for _ in 0..<2 {
                let refused = try ProbeRun(construct, seed: seed, isRefused: true)
                #expect(usual.parting(from: refused) == nil, "seed \(seed)")
            }
        }
    }

    @Test func edgesAreInterruptedIfAskedFor() throws {
        let environment = [VIRTUAL_TIME_EDGES: "1", VIRTUAL_TIME_PREEMPTION: "4"]
        var outcomes: Set<[String]> = []
        for seed in 1...3 as ClosedRange<UInt64> {
            let run = try ProbeRun("edges", seed: seed, environment)
            #expect(run.end == virtual_time_end_ended)
            let again = try ProbeRun("edges", seed: seed, environment)
            #expect(run.parting(from: again) == nil)
            outcomes.insert(run.words)
        }
        #expect(outcomes.count > 1, "\(outcomes)")
        #expect(!outcomes.contains(["lost 0"]), "\(outcomes)")
        // Otherwise the loop, which waits without a call, never ends.
        let run = try ProbeRun("edges", seed: 1, [VIRTUAL_TIME_EDGES: "0", VIRTUAL_TIME_SPIN: "200"])
        #expect(run.end == virtual_time_end_spinning, "\(run.text)")
    }

    @Test(
        arguments: [
            (VIRTUAL_TIME_SEED, "one"), (VIRTUAL_TIME_SEED, "18446744073709551616"), (VIRTUAL_TIME_STRATEGY, "pct:0:5"),
            (VIRTUAL_TIME_STRATEGY, "pct:3"), (VIRTUAL_TIME_SEQUEL, "boring"), (VIRTUAL_TIME_PREEMPTION, "-1"),
            (VIRTUAL_TIME_STALL, "3"), (VIRTUAL_TIME_STALL, "3:3600001"), (VIRTUAL_TIME_EDGES, "2"),
            (VIRTUAL_TIME_EPOCH, "9223372036854775807"), (VIRTUAL_TIME_HORIZON, "0"), (VIRTUAL_TIME_SPIN, "0"),
            (VIRTUAL_TIME_DECISIONS, "/nowhere"), (VIRTUAL_TIME_RECORD, "/nowhere/record"),
            (VIRTUAL_TIME_CONDUCTOR, "77"),
        ])
    func whatTheEnvironmentSaysWrongIsRefused(name: String, value: String) throws {
        let environment = [VIRTUAL_TIME_SEED: "1"].merging([name: value]) { $1 }
        let output = try ProbeProgram.run(ProbeProgram.url, ["sleep"], environment)
        #expect(output.status == VIRTUAL_TIME_EXIT_STOPPED)
        #expect(output.text.contains("virtual time: \(name) is “\(value)”, but must be"), "\(output.text)")
    }

    @Test func aProgramThatWasNotBuiltWithItRunsInAWorld() throws {
        let preload = try #require(ProbeProgram.preload?.path)
        let environment = ["LD_PRELOAD": preload, VIRTUAL_TIME_SEED: "1", "TZ": "UTC"]
        let start = ContinuousClock.now
        let output = try ProbeProgram.run(URL(filePath: "/bin/sleep"), ["100000"], environment)
        #expect(output.status == 0, "\(output.text)")
        #expect(ContinuousClock.now - start < .seconds(1000))
        let date = try ProbeProgram.run(URL(filePath: "/bin/date"), ["+%F %T"], environment)
        #expect(date.text == "2026-01-01 00:00:00\n")
    }

    @Test func aRecordThatIsNoneIsRefused() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "record-\(UUID().uuidString)")
        // A leftover file in the temporary directory is harmless.
        defer { try? FileManager.default.removeItem(at: file) }
        /// The error of an opening that is refused.
        func refusal() -> Int32? { virtual_time_record_open(file.path) == nil ? errno : nil }
        #expect(refusal() == ENOENT)
        try Data("no record".utf8).write(to: file)
        #expect(refusal() == EPROTO)
        truncate(file.path, off_t(VIRTUAL_TIME_RECORD_SIZE))
        #expect(refusal() == EPROTO)
    }

    @Test func outsideOfAWorldNothingIsVirtual() {
        #expect(!virtual_time_is_on())
        #expect(virtual_time_now() == 0)
        #expect(virtual_time_choose(virtual_time_kind_fault, 100) == 0)
        #expect(virtual_time_current() == nil)
        virtual_time_trace("nobody reads this")
        // This process has many threads.
        var settings = virtual_time_defaults(1)
        let (isBegun, threadsError) = (virtual_time_begin(&settings, nil, 0), errno)
        #expect(!isBegun)
        #expect(threadsError == EDEADLK)
        settings.strategy = 7
        let (isBegunWrongly, settingsError) = (virtual_time_begin(&settings, nil, 0), errno)
        #expect(!isBegunWrongly)
        #expect(settingsError == EINVAL)
        let before = Date()
        usleep(2000)
        #expect(Date().timeIntervalSince(before) >= 0.002)
        let (file, openError) = (open("/nowhere/at/all", O_RDONLY), errno)
        #expect(file == -1)
        #expect(openError == ENOENT)
        let (length, readError) = (read(-1, nil, 0), errno)
        #expect(length == -1)
        #expect(readError == EBADF)
        #expect(getpid() > 0)
        #expect(Date().timeIntervalSince1970 > 1_767_225_600)
    }
}
