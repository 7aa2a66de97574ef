import LinkProtocol
import ServiceRuntime
import Testing

@testable import Trials

/// What a seed decides.
@Suite("Torture's schedule")
struct TortureScheduleTests {
    private static func extent(_ words: [String: String]) throws -> TortureExtent {
        try TortureExtent(ParsedOptions(values: words, operands: []))
    }

    private static func lines(_ seed: UInt64, kills: Int = 3) throws -> [(time: Duration, event: TortureEvent)] {
        try TortureSchedule(extent(["kills": "\(kills)"]), seed: seed, chance: Chance(seed: ~seed)).lines
    }

    @Test("Every quiz is handed over, in the order of time, and within the hours")
    func work() throws {
        for seed in 1...50 as ClosedRange<UInt64> {
            let lines = try Self.lines(seed)
            let times = lines.map { $0.time }
            #expect(times == times.sorted(), "seed \(seed)")
            let quizzes = lines.map { line in if case .submit(let count) = line.event { count } else { 0 } }
            #expect(quizzes.reduce(0, +) == 100, "seed \(seed)")
            let work = lines.filter { line in if case .submit = line.event { true } else { false } }
            #expect(work.map { $0.time }.filter { $0 < .zero || $0 >= .seconds(3_600) } == [], "seed \(seed)")
        }
    }

    @Test("After the last line each service runs, and each was killed so often at most")
    func kills() throws {
        var ways: Set<String> = []
        for seed in 1...200 as ClosedRange<UInt64> {
            for service in ["host", "companion"] {
                var (isDoomed, count) = (false, 0)
                for (_, event) in try Self.lines(seed) {
                    switch event {
                    case .kill(service):
                        #expect(!isDoomed, "seed \(seed)")
                        (isDoomed, count) = (true, count + 1)
                        ways.insert("kill")
                    case .crash(service, let step):
                        #expect(!isDoomed, "seed \(seed)")
                        #expect(step >= 1, "seed \(seed)")
                        (isDoomed, count) = (true, count + 1)
                        ways.insert("crash")
                    case .start(service):
                        #expect(isDoomed, "seed \(seed)")
                        isDoomed = false
                    default: break
                    }
                }
                // Each may be followed by one more while the service starts.
                #expect(!isDoomed, "seed \(seed)")
                #expect(count <= 6, "seed \(seed)")
            }
        }
        #expect(ways == ["kill", "crash"])
        let events = try Self.lines(1, kills: 0).map(\.event)
        #expect(events.filter { if case .start = $0 { true } else { false } } == [])
    }

    @Test("Dull decisions bring no trouble, and do all of the work; each that is not dull brings one")
    func decisions() throws {
        func trouble(_ decide: @escaping Chance.Decider) throws -> [TortureEvent] {
            try TortureSchedule(Self.extent([:]), seed: 1, chance: Chance(deciding: decide)).lines.map(\.event)
                .filter { event in
                    switch event {
                    case .submit, .sendUserInfo, .sendContext, .sendFile: false
                    default: true
                    }
                }
        }
        let none = try trouble { _, _, _, _ in 0 }
        #expect(none.isEmpty, "\(none)")
        let kills = try trouble { _, subject, _, _ in subject == "host is killed, time #" ? 1 : 0 }
        #expect(kills.count { if case .kill("host") = $0 { true } else { false } } >= 1, "\(kills)")
        #expect(kills.allSatisfy { !"\($0)".contains("companion") }, "\(kills)")
        let faults = try trouble { _, subject, _, _ in subject == "there is trouble #" ? 1 : 0 }
        #expect(faults.count == 24, "twelve in an hour, each with its end: \(faults)")
    }

    @Test("A seed decides all, and another seed otherwise; every kind of trouble comes")
    func seeds() throws {
        let (first, again, other) = (try Self.lines(7), try Self.lines(7), try Self.lines(8))
        #expect(again.map(\.event) == first.map(\.event))
        #expect(other.map(\.event) != first.map(\.event))
        let events = try (1...20 as ClosedRange<UInt64>).flatMap { try Self.lines($0).map { "\($0.event)" } }
        for word in [
            "condition(", "disk(", "linkDown", "linkUp", "drop", "delay", "duplicate", "hold", "release", "File",
        ] {
            #expect(events.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test("Numbers beyond what is allowed are refused, and the usual ones are those of an hour")
    func extents() throws {
        let usual = try Self.extent([:])
        #expect(usual.words == ["--hours", "1.0", "--quizzes", "100", "--kills", "3"])
        let least = try Self.extent(["hours": "0.01", "quizzes": "1", "kills": "0"])
        #expect(least.words == ["--hours", "0.01", "--quizzes", "1", "--kills", "0"])
        for (name, text) in [
            ("hours", "0.009"), ("hours", "744.1"), ("hours", "nan"), ("quizzes", "0"), ("quizzes", "100001"),
            ("kills", "-1"), ("kills", "1001"), ("kills", "1.5"),
        ] {
            let error = #expect(throws: UsageError.self) { try Self.extent([name: text]) }
            let description = error?.description ?? ""
            #expect(description.contains("--\(name) \(text): it must be a number from"))
        }
    }
}
