import Foundation
import LinkProtocol
import LinkTransport
import Testing
import VirtualTime

/// Faults inside programs in virtual time: each is a decision of the program's world.
@Suite(
    "Faults by a world's decisions", .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer.")
)
struct WorldTroubleTests {
    private static func script(_ environment: [String: String]) throws -> Script {
        let pair = TestBench.program("QuizPair").path(percentEncoded: false)
        func device(_ name: String, _ role: String) -> Program {
            Program(
                name: name, executable: pair,
                environment: [
                    "WATCHLINK_ROLE": role, "WATCHLINK_SOCKET": "{world}/link", "WATCHLINK_LOG_LEVEL": "debug",
                    "WATCHLINK_DEVICE_STATE": "{world}/\(name)/state",
                ].merging(environment) { $1 })
        }
        return try Script(
            [
                .init(at: .zero, .start(device("phone", "host"))),
                .init(at: .seconds(1), .start(device("watch", "companion"))),
            ], end: .seconds(2_400))
    }

    private static func injected(_ process: ProcessOutcome) -> Int {
        String(decoding: process.errors, as: UTF8.self).split(separator: "\n").count { $0.contains("fault injected") }
    }

    private static func taken(_ kind: DecisionKind, _ process: ProcessOutcome) -> Int {
        process.world.decisions.count { $0.kind == kind && !$0.isDull }
    }

    /// Returns the first run that matches: the behaviour of a seed depends on the build.
    private static func first(
        _ conductor: Conductor, _ script: Script, where isSought: (Performance) -> Bool
    ) throws -> Performance {
        try #require(
            try (1...UInt64(20)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first(
                where: isSought))
    }

    @Test("The questions of chance have the numbers of the world's kinds", arguments: Chance.Question.allCases)
    func numbers(_ question: Chance.Question) {
        #expect(DecisionKind(rawValue: UInt8(question.rawValue))?.name == "\(question)")
    }

    @Test("Outside of a world a seed decides")
    func outside() {
        var (chance, seeded) = (Chance.ofProcess(seed: 6), Chance(seed: 6))
        let (parts, same) = (
            (0..<20).map { _ in chance.part("it is late") }, (0..<20).map { _ in seeded.part("it is late") }
        )
        #expect(parts == same)
        #expect(Set(parts).count == 20)
    }

    @Test("Each fault that a program meets by chance is a decision, and default decisions cause none")
    func faults() throws {
        let conductor = try Conductor()
        let script = try Self.script([
            "WATCHLINK_FAULTS": "drop any probability=0.4; duplicate message at-app probability=0.4"
        ])
        let performance = try Self.first(conductor, script) { $0.processes.allSatisfy { Self.injected($0) > 0 } }
        let again = try conductor.perform(script, performance.course)
        let isSame = again == performance
        #expect(isSame, "\(PerformanceText(performance).text)\n\(PerformanceText(again).text)")
        for process in performance.processes {
            #expect(Self.taken(.fault, process) == Self.injected(process))
        }
        let dull = JointCourse(conductor: Course(seed: 3, following: [Decision](), then: .dull), processes: [:])
        let quiet = try conductor.perform(script, dull)
        #expect(quiet.processes.map(Self.injected) == [0, 0])
        let unasked = quiet.processes.filter { process in !process.world.decisions.contains { $0.kind == .fault } }
        #expect(unasked.map(\.name) == [], "it is asked all the same")
    }

    @Test("A slow link is late only by decisions")
    func latency() throws {
        let conductor = try Conductor()
        let script = try Self.script(["WATCHLINK_HAZARDS": "slowness"])
        let performance = try Self.first(conductor, script) {
            $0.processes.contains { Self.taken(.latency, $0) > 0 }
        }
        #expect(performance.failure == nil)
    }

    @Test("Shrinking removes a fault that a failure does not need")
    func shrinking() throws {
        let conductor = try Conductor()
        let script = try Self.script(["WATCHLINK_FAULTS": "drop any probability=0.2"])
        // The failure is a watch that loses something.
        func fails(_ performance: Performance) -> Bool {
            performance.processes.contains { $0.name == "watch" && Self.injected($0) > 0 }
        }
        let performance = try Self.first(conductor, script, where: fails)
        let (course, _, _) = try #require(try conductor.shrink(performance, of: script, mostTries: 40, fails: fails))
        let smallest = try conductor.perform(script, course)
        func count(_ performance: Performance) -> Int { performance.processes.reduce(0) { $0 + Self.injected($1) } }
        #expect(fails(smallest), "\(count(performance)) became \(count(smallest))")
        #expect(count(smallest) == 1, "\(count(performance)) became \(count(smallest))")
        let left = course.processes.values.reduce(course.conductor.departures.count) { $0 + $1.departures.count }
        #expect(left == 1, "\(course)")
    }
}
