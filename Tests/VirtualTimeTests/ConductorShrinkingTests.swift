import Foundation
import Testing

@testable import VirtualTime

/// Tests of how the failures of several programs are made small, and of the hazards that seeds plan for them.
@Suite(.enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
struct ConductorShrinkingTests {
    @Test("A failure of one program is shrunk together with the courses of all programs")
    func shrinking() throws {
        let conductor = try Conductor()
        let script = try Players.script([
            (.zero, .start(Players.player("a", "race"))), (.zero, .start(Players.player("b", "race"))),
        ])
        // The failure is an order: racer 3 arrives before racer 0.
        func fails(_ performance: Performance) -> Bool {
            let order = Players.sayings(performance.processes[1])
            guard let first = order.firstIndex(of: "racer 3"), let last = order.firstIndex(of: "racer 0") else {
                return false
            }
            return first < last
        }
        let found = try (1...UInt64(50)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first(
            where: fails)
        let performance = try #require(found)
        let before = performance.processes.reduce(0) { $0 + $1.world.decisions.count { !$0.isDull } }
        let (course, tries, _) = try #require(
            try conductor.shrink(performance, of: script, mostTries: 200, fails: fails))
        #expect(tries <= 200)
        let early = try conductor.shrink(performance, of: script, mostTries: 2, fails: fails)
        #expect(early?.isComplete == false, "two tries do not suffice")
        // Each try has more than one decision.
        let exhausted = try conductor.shrink(performance, of: script, mostDecisions: 2, fails: fails)
        #expect(exhausted?.tries == 1)
        #expect(exhausted?.isComplete == false)
        var asked = 0
        let stopped = try conductor.shrink(
            performance, of: script,
            isStopped: {
                asked += 1
                return asked == 3
            }, fails: fails)
        #expect(stopped?.tries == 3)
        #expect(stopped?.isComplete == false)
        let after = course.processes.values.reduce(course.conductor.departures.count) { $0 + $1.departures.count }
        #expect(after < before, "\(before) departures became \(after)")
        let smallest = try conductor.perform(script, course)
        #expect(fails(smallest), "\(Players.sayings(smallest.processes[1]))")
    }

    @Test("After a few tries, nothing is left of a course that the failure does not need")
    func shrinkingOfWholes() throws {
        let conductor = try Conductor()
        let script = try Players.script([
            (.zero, .start(Players.player("a", "race"))), (.zero, .start(Players.player("b", "race"))),
        ])
        func fails(_ performance: Performance) -> Bool { Players.sayings(performance.processes[0]).first != "racer 0" }
        let found = try (1...UInt64(50)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first(
            where: fails)
        let performance = try #require(found)
        let before = performance.processes[1].world.decisions.count { !$0.isDull }
        #expect(before > 0)
        let (course, _, _) = try #require(
            try conductor.shrink(performance, of: script, mostTries: 40, fails: fails))
        #expect(course.processes[Life("b", 1)]?.departures.isEmpty == true, "\(course)")
        #expect(course.processes.values.reduce(course.conductor.departures.count) { $0 + $1.departures.count } <= 2)
        let smallest = try conductor.perform(script, course)
        #expect(fails(smallest), "\(Players.sayings(smallest.processes[0]))")
        #expect(smallest.processes[1].world.decisions.filter { !$0.isDull } == [])
    }

    private static func hazardous(kills: Int) throws -> Script {
        let (phone, watch) = (
            Players.player("phone", "serve", "{world}/socket"),
            Players.player("watch", "ask", "{world}/socket", "8", "60")
        )
        return try Script(
            [.init(at: .zero, .start(phone)), .init(at: .seconds(10), .start(watch))], end: .seconds(1_000),
            hazards: [
                Hazard("phone", kills: kills, pause: .seconds(1)...(.seconds(30))),
                Hazard("watch", kills: kills, pause: .seconds(1)...(.seconds(30))),
            ])
    }

    @Test("Seeds kill programs and restart them, at the same instants each time")
    func hazards() throws {
        let (conductor, script) = (try Conductor(), try Self.hazardous(kills: 3))
        let found = try (1...UInt64(60)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first {
            Set($0.processes.filter { $0.fate == .killed }.map(\.name)).count == 2
        }
        let performance = try #require(found)
        Players.expectSame(try conductor.perform(script, performance.course), performance)
        #expect(performance.failure == nil)
        for process in performance.processes where process.fate == .killed {
            let next = performance.processes.first { $0.life == Life(process.name, process.life.number + 1) }
            let absence = next.map { $0.span.lowerBound - process.span.upperBound }
            #expect(
                absence.map { (.seconds(1)...(.seconds(30))).contains($0) } == true,
                "\(process.life): \(absence ?? .zero)")
        }
        // A restarted program finds its files; it may have been killed between writing them and reporting it.
        let phones = performance.processes.filter { $0.name == "phone" }
        let received = phones.dropLast().reduce(0) { $0 + Players.sayings($1).count { $0.hasPrefix("received") } }
        let kept = try #require(
            phones.last.flatMap { Players.sayings($0).first?.split(separator: " ").last.flatMap { Int($0) } })
        #expect((received..<(received + phones.count)).contains(kept), "\(kept) are kept of \(received)")
    }

    @Test("Kills that a failure does not need are left out, and the needed one moves to an early instant")
    func shrinkingHazards() throws {
        let conductor = try Conductor()
        let script = try Self.hazardous(kills: 3)
        // The failure is a killed watch; the phone's kills are irrelevant.
        func fails(_ performance: Performance) -> Bool {
            performance.processes.contains { $0.life == Life("watch", 2) }
        }
        func kills(_ performance: Performance) -> [String] {
            performance.processes.filter { $0.fate == .killed }.map(\.name)
        }
        let found = try (1...UInt64(60)).lazy.map { try conductor.perform(script, JointCourse(seed: $0)) }.first {
            fails($0) && Set(kills($0)).count == 2
        }
        let performance = try #require(found)
        let (course, _, _) = try #require(try conductor.shrink(performance, of: script, mostTries: 200, fails: fails))
        let smallest = try conductor.perform(script, course)
        #expect(kills(smallest) == ["watch"])
        let end = try #require(smallest.processes.first { $0.fate == .killed }).span.upperBound
        #expect(end < .seconds(11), "it is killed at \(end)")
        #expect(course.conductor.departures.count == 1, "\(course.conductor.departures)")
    }
}
