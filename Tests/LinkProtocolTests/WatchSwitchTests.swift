import Foundation
import Testing

@testable import LinkProtocol

@Suite("Random watch switches")
struct WatchSwitchTests {
    private static let first = UUID()
    private static let second = UUID()
    private static let third = UUID()

    /// A source of decisions with given answers, and then 0.
    // Proof of `@unchecked Sendable`: each test uses it on one thread.
    private final class Answers: @unchecked Sendable {
        private var left: [UInt32]

        init(_ answers: [UInt32]) { left = answers }

        func machine() -> WatchSwitchMachine {
            WatchSwitchMachine(Chance { _, _, _, _ in self.left.isEmpty ? 0 : self.left.removeFirst() })
        }
    }

    private static func time(_ seconds: Double) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    @Test("Without a decision nothing happens")
    func dull() {
        var machine = Answers([]).machine()
        #expect(machine.nextDeadline == nil)
        machine.start(active: Self.first, at: Self.time(5))
        #expect(machine.nextDeadline == nil)
    }

    @Test("A person with one watch leaves it for one that never connects, and returns; then decides again")
    func oneWatch() {
        // A quarter of an hour, half of the longest absence, half an hour.
        var machine = Answers([250, 500, 500]).machine()
        machine.start(active: Self.first, at: Self.time(0))
        #expect(machine.nextDeadline == Self.time(900))
        let away = machine.deadlinePassed(at: Self.time(900), active: Self.first, paired: [Self.first])
        #expect(away == WatchSwitchMachine.other)
        #expect(machine.nextDeadline == Self.time(960.5))
        let paired = [WatchSwitchMachine.other, Self.first]
        #expect(machine.deadlinePassed(at: Self.time(960.5), active: away, paired: paired) == Self.first)
        #expect(machine.nextDeadline == Self.time(960.5 + 1_800))
    }

    @Test("One of several watches is chosen, and the former one is worn again if it is still paired")
    func several() {
        let paired = [Self.first, Self.second, Self.third]
        for (choice, index) in [(0, 0), (499, 0), (500, 1), (999, 1)] as [(UInt32, Int)] {
            var machine = Answers([1, 0, choice]).machine()
            machine.start(active: Self.first, at: Self.time(0))
            let others = [Self.second, Self.third].sorted { $0.uuidString < $1.uuidString }
            let worn = machine.deadlinePassed(at: Self.time(4), active: Self.first, paired: paired)
            #expect(worn == others[index])
            let left = paired.filter { $0 != Self.first }
            #expect(machine.deadlinePassed(at: Self.time(5), active: worn, paired: left) == left.first { $0 != worn })
        }
    }

    @Test("If there is only one other watch, there is nothing to choose")
    func oneOther() {
        let world = ScriptedWorld([500])
        var machine = WatchSwitchMachine(world.chance)
        machine.start(active: Self.first, at: Self.time(0))
        let worn = machine.deadlinePassed(
            at: Self.time(1_800), active: Self.first, paired: [Self.first, Self.second])
        #expect(worn == Self.second)
        #expect(world.asked.map(\.subject) == ["the watch is switched, time #", "the watch stays away, time #"])
    }

    @Test("A phone without an active watch cannot leave one, and decides again later")
    func nobody() {
        var machine = Answers([500, 500]).machine()
        machine.start(active: nil, at: Self.time(0))
        #expect(machine.deadlinePassed(at: Self.time(1_800), active: nil, paired: []) == nil)
        #expect(machine.nextDeadline == Self.time(3_600))
    }

    @Test("A phone that was killed while another watch was worn returns to the one that is present")
    func killed() {
        var machine = Answers([]).machine()
        machine.start(active: WatchSwitchMachine.other, at: Self.time(0))
        #expect(machine.nextDeadline == Self.time(1))
        let paired = [Self.first, WatchSwitchMachine.other]
        let worn = machine.deadlinePassed(at: Self.time(1), active: WatchSwitchMachine.other, paired: paired)
        #expect(worn == Self.first)
        #expect(machine.nextDeadline == nil)
    }
}
