import Cassettes
import Foundation
import Testing
import VirtualTime

@testable import watchlink_explore

/// Cassettes of apps that were killed and started again.
@Suite("Replays of later starts", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ReplayedStartsTests {
    /// Records a pair of which one app is killed once and started again, as an upgrade does it.
    ///
    /// - Returns: The program, and the cassette of that app's second start.
    private static func secondStart(
        of side: String, _ pair: String, at time: String, in bench: TestBench
    ) throws -> (app: String, cassette: String) {
        let app = "\(TestBench.program("ReplayPair").path(percentEncoded: false)) \(pair)"
        try bench.record(["--phone", app, "--watch", app, "--upgrade", "\(side)@\(time)=\(app)"])
        return (app, "\(bench.path)/cassettes/seed-1/\(side)-2")
    }

    @Test("A device that was killed leaves a cassette that is not finished, and the one of its next start is complete")
    func killed() throws {
        let bench = try TestBench()
        _ = try Self.secondStart(of: "watch", "library", at: "20min", in: bench)
        let check = try TestBench.run("watchlink", ["record", "check", "\(bench.path)/cassettes/seed-1"])
        for (name, state) in [("watch-1", "not finished"), ("watch-2", "complete"), ("phone-1", "complete")] {
            #expect(check.output.contains("/\(name): \(state)"), "\(check.output)\(check.errors)")
        }
    }

    @Test("The second start of a program begins with what the first has left, whose cassette is played before")
    func startedAgain() throws {
        let bench = try TestBench()
        let (app, second) = try Self.secondStart(of: "watch", "meter", at: "20min", in: bench)
        let same = try TestBench.run("watchlink", ["replay", second, "--watch", app])
        #expect(same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        // Another seed lets the first start draw another name.
        for words in [["--accept"], [], ["--seed", "7"]] {
            let accepted = try TestBench.run("watchlink", ["replay", second, "--watch", app] + words)
            #expect(accepted.code == 0, "\(accepted.output)\(accepted.errors)")
        }
        let alone = "\(bench.path)/alone"
        try FileManager.default.createDirectory(atPath: alone, withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: second, toPath: "\(alone)/watch-2")
        let changed = try TestBench.run("watchlink", ["replay", "\(alone)/watch-2", "--watch", app])
        #expect(changed.code == 3 && changed.output.contains("[transferUserInfo missing]"), "\(changed.output)")
        #expect(changed.output.contains("hint: this is of a program that was started again"), "\(changed.output)")
    }

    @Test("An earlier start keeps what it was given, though the recording does not say how long it lived")
    func earlierStartLives() throws {
        let bench = try TestBench()
        // The latest event of the first start comes a few milliseconds after its beginning; its settings are on the disk later.
        let (app, second) = try Self.secondStart(of: "watch", "meter", at: "1min", in: bench)
        let same = try TestBench.run("watchlink", ["replay", second, "--watch", app])
        #expect(same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        let contents = try String(contentsOfFile: "\(second)/contents.jsonl", encoding: .utf8)
        #expect(contents.contains("\"again\""), "it tells that it was started again: \(contents)")
    }

    @Test("The second start of a phone has the watch of the first, and begins as much later as it was recorded")
    func phoneStartedAgain() throws {
        let bench = try TestBench()
        let (app, second) = try Self.secondStart(of: "phone", "library", at: "2min", in: bench)
        let same = try TestBench.run("watchlink", ["replay", second, "--phone", app, "--verbose"])
        #expect(same.output.contains(": same\n"), "\(same.output)\(same.errors)")
        #expect(same.output.contains(" transferUserInfo "), "\(same.output)")
        #expect(!same.output.contains("watch2"), "\(same.output)")
        let conductor = try Conductor()
        let time = try FormerStarts(before: try Cassette(at: second)).time(in: .virtual(conductor))
        var late: Int64?
        if case .virtual(let later) = time { late = later.settings.epoch - conductor.settings.epoch }
        // The new build is installed for ten seconds.
        #expect(late.map { $0 / 1_000_000_000 } == 130, "nanoseconds: \(late.map { "\($0)" } ?? "none")")
        // So does the course that is accepted.
        let accepted = try TestBench.run("watchlink", ["replay", second, "--phone", app, "--accept"])
        #expect(accepted.code == 0, "\(accepted.output)\(accepted.errors)")
        let starts = try [second, "\(second)/accepted-phone"].map { try Cassette(at: $0).manifest.start }
        let gap = try #require(starts[0]).distance(to: try #require(starts[1]))
        #expect(abs(gap) < 1, "the accepted course begins \(gap) s later")
    }
}
