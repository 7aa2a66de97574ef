import Foundation
import Testing

@testable import VirtualTime

@Suite("Strategy choices")
struct StrategyChoiceTests {
    @Test("Two strategies can be parsed, and no other text")
    func words() {
        #expect(StrategyChoice("random") == .random)
        #expect(StrategyChoice("orders") == .orders)
        #expect(StrategyChoice("pct:1") == .priorities(depth: 1))
        #expect(StrategyChoice("pct:16") == .priorities(depth: 16))
        for wrong in ["", "Random", "pct", "pct:", "pct:0", "pct:17", "pct:-1", "pct:3:9", "priorities:3", "pct: 3"] {
            #expect(StrategyChoice(wrong) == nil, "\(wrong)")
        }
        #expect(StrategyChoice.allowed == "random, pct:N with N from 1 to 16, or orders")
    }

    @Test(
        "Priorities use the number of steps in a random run, the same number each time",
        .enabled(if: World.isAvailable, "Worlds do not exist under the thread sanitizer."))
    func steps() throws {
        let script = try Players.script([(.zero, .start(Players.player("racer", "race")))], end: .seconds(60))
        let conductor = try Conductor()
        let steps = try conductor.perform(script, JointCourse(seed: 0)).processes[0].world.counts.steps
        #expect(steps > 100)
        for _ in 0..<2 {
            let strategy = try StrategyChoice.priorities(depth: 3).strategy(by: conductor, for: script)
            #expect(strategy == .priorities(depth: 3, steps: Int(steps)))
        }
        let random = try StrategyChoice.random.strategy(by: conductor, for: script)
        #expect(random == .random)
        let course = JointCourse(seed: 4, strategy: .priorities(depth: 3, steps: Int(steps)))
        let (performance, isRepeatable) = try conductor.check(script, course)
        #expect(isRepeatable)
        let drawn = try conductor.perform(script, JointCourse(seed: 4))
        #expect(performance.processes[0].world.decisions != drawn.processes[0].world.decisions)
        let again = try conductor.perform(script, performance.followed)
        #expect(again.processes.map(\.world.decisions) == performance.processes.map(\.world.decisions))
    }
}
