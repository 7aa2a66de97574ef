import Foundation
import Testing

@testable import LinkProtocol

@Suite("Outbox machine")
struct OutboxStateMachineTests {
    static let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(5))
    static let unavailable = OutboxStateMachine.Outcome.unavailable(reason: "away")

    static func entries(_ count: Int) -> [OutboxStateMachine.Entry] {
        (0..<count).map { OutboxStateMachine.Entry(identifier: UUID(), position: Int64($0)) }
    }

    static func reachable(_ entries: [OutboxStateMachine.Entry]) -> OutboxStateMachine {
        var machine = OutboxStateMachine(backoff: backoff)
        machine.accepted(entries)
        machine.reachabilityChanged(true)
        return machine
    }

    @Test("Nothing is sent while the host is away")
    func unreachable() {
        var machine = OutboxStateMachine(backoff: Self.backoff)
        machine.accepted(Self.entries(3))
        #expect(machine.transmit(at: at(0)).isEmpty)
        #expect(machine.nextDeadline == nil)
    }

    @Test("Entries are sent in order, up to the window, and more as they end")
    func window() {
        let entries = Self.entries(OutboxStateMachine.window + 2)
        var machine = Self.reachable(entries)
        let first = machine.transmit(at: at(0))
        #expect(first.map(\.identifier) == entries.prefix(OutboxStateMachine.window).map(\.identifier))
        _ = machine.settled(entries[0].identifier, .replied, at: at(0), jitter: 1)
        #expect(machine.transmit(at: at(0)).map(\.identifier) == [entries[OutboxStateMachine.window].identifier])
    }

    @Test("After a failure nothing is sent until all have settled and a delay has passed; then the earliest first")
    func recovery() {
        let entries = Self.entries(5)
        var machine = Self.reachable(Array(entries.prefix(3)))
        _ = machine.transmit(at: at(0))
        machine.accepted(Array(entries[3...]))
        let trouble = machine.settled(entries[1].identifier, Self.unavailable, at: at(0), jitter: 1)
        guard case .retry = trouble else {
            Issue.record("expected a retry, came \(trouble)")
            return
        }
        #expect(machine.transmit(at: at(0)).isEmpty)
        let replied = machine.settled(entries[2].identifier, .replied, at: at(0), jitter: 1)
        guard case .finish = replied else {
            Issue.record("expected the end of the entry, came \(replied)")
            return
        }
        _ = machine.settled(entries[0].identifier, Self.unavailable, at: at(1), jitter: 1)
        #expect(machine.nextDeadline == at(1.1))
        #expect(machine.transmit(at: at(1.05)).isEmpty)
        let again = machine.transmit(at: at(1.1))
        #expect(again.map(\.identifier) == [0, 1, 3, 4].map { entries[$0].identifier })
        #expect(again.map(\.attempts) == [2, 2, 1, 1])
    }

    @Test("A permanent refusal ends its entry and blocks no later one")
    func refusal() {
        let entries = Self.entries(2)
        var machine = Self.reachable(entries)
        _ = machine.transmit(at: at(0))
        let action = machine.settled(entries[0].identifier, .refused(reason: "invalid"), at: at(0), jitter: 1)
        guard case .giveUp(let entry, "invalid") = action else { return #expect(Bool(false), "\(action)") }
        #expect(entry.identifier == entries[0].identifier)
        let replied = machine.settled(entries[1].identifier, .replied, at: at(0), jitter: 1)
        guard case .finish = replied else {
            Issue.record("expected the end of the entry, came \(replied)")
            return
        }
        #expect(machine.pendingCount == 0)
    }

    @Test("A host that reconnects ends the wait")
    func comesBack() {
        let entries = Self.entries(1)
        var machine = Self.reachable(entries)
        _ = machine.transmit(at: at(0))
        machine.reachabilityChanged(false)
        _ = machine.settled(entries[0].identifier, Self.unavailable, at: at(0), jitter: 1)
        #expect(machine.transmit(at: at(0)).isEmpty)
        machine.reachabilityChanged(true)
        #expect(machine.transmit(at: at(0)).map(\.attempts) == [2])
    }

    @Test("An end that arrives twice counts once")
    func twice() {
        let entries = Self.entries(1)
        var machine = Self.reachable(entries)
        _ = machine.transmit(at: at(0))
        _ = machine.settled(entries[0].identifier, .replied, at: at(0), jitter: 1)
        #expect(machine.settled(entries[0].identifier, Self.unavailable, at: at(0), jitter: 1) == .ignore)
        #expect(machine.pendingCount == 0)
    }

    @Test("Whatever happens in whatever order, each entry ends exactly once", arguments: 0..<200)
    func everythingEnds(seed: UInt64) {
        var generator = SeededRandom(seed: seed)
        let entries = Self.entries(40)
        var machine = OutboxStateMachine(backoff: Self.backoff)
        var waiting = entries[...]
        var underWay: [UUID] = []
        var ends: [UUID: Int] = [:]
        var time = 0.0
        for step in 0..<20_000 where ends.count < entries.count {
            time += 0.01
            let isCalm = step > 5_000
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: if let entry = waiting.popFirst() { machine.accepted([entry]) }
            case 1: machine.reachabilityChanged(isCalm || Bool.random(using: &generator))
            case 2, 3: underWay += machine.transmit(at: at(time)).map(\.identifier)
            default:
                guard let index = underWay.indices.randomElement(using: &generator) else { continue }
                let identifier = underWay.remove(at: index)
                let outcome: OutboxStateMachine.Outcome =
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0 where !isCalm: Self.unavailable
                    case 1: .refused(reason: "no")
                    default: .replied
                    }
                switch machine.settled(identifier, outcome, at: at(time), jitter: 0.5) {
                case .finish, .giveUp: ends[identifier, default: 0] += 1
                case .retry, .ignore: break
                }
            }
        }
        #expect(ends.count == entries.count)
        #expect(ends.filter { $0.value != 1 } == [:])
        #expect(machine.pendingCount == 0)
    }

    @Test("An entry names the one sent directly before it, unless all earlier ones have settled")
    func predecessors() {
        let entries = Self.entries(5)
        var machine = Self.reachable(Array(entries.prefix(3)))
        #expect(machine.transmit(at: at(0)).map(\.predecessor) == [nil, entries[0].identifier, entries[1].identifier])
        machine.accepted([entries[3]])
        #expect(machine.transmit(at: at(0)).map(\.predecessor) == [entries[2].identifier])
        for entry in entries.prefix(4) { _ = machine.settled(entry.identifier, .replied, at: at(0), jitter: 1) }
        machine.accepted([entries[4]])
        #expect(machine.transmit(at: at(0)).map(\.predecessor) == [nil])
    }

    @Test("Entries sent on a new connection before the old one is known to be closed follow the lost ones")
    func reconnected() {
        let entries = Self.entries(2)
        var machine = Self.reachable([entries[0]])
        _ = machine.transmit(at: at(0))
        machine.reachabilityChanged(false)
        machine.reachabilityChanged(true)
        machine.accepted([entries[1]])
        #expect(machine.transmit(at: at(0)).map(\.predecessor) == [entries[0].identifier])
    }

    @Test("After a failure sending restarts when the delay has passed exactly, and then waits for nothing")
    func pause() {
        let entries = Self.entries(1)
        var machine = Self.reachable(entries)
        _ = machine.transmit(at: at(0))
        _ = machine.settled(entries[0].identifier, Self.unavailable, at: at(0), jitter: 0)
        // Half of the first delay of 100 ms is fixed, the other half random.
        #expect(machine.nextDeadline == at(0.05))
        let early = machine.transmit(at: MonotonicTime(nanoseconds: at(0.05).nanoseconds - 1))
        #expect(early == [])
        let due = machine.transmit(at: at(0.05)).map(\.identifier)
        #expect(due == entries.map(\.identifier))
        #expect(machine.nextDeadline == nil)
    }

    @Test("An entry is overdue at its deadline, not before; without one, never")
    func patience() {
        for patience in [Duration.seconds(60), nil] {
            let entries = Self.entries(2)
            var machine = OutboxStateMachine(backoff: Self.backoff, patience: patience)
            machine.accepted(entries)
            machine.reachabilityChanged(true)
            _ = machine.transmit(at: at(0))
            machine.progressed(entries[0].identifier, at: at(10))
            let times = [59.9, 60, 69.9, 70]
            let overdue = times.map { machine.overdue(at: at($0)) }
            let (first, second) = (entries[0].identifier, entries[1].identifier)
            let expected: [[UUID]] =
                patience == nil ? [[], [], [], []] : [[], [second], [second], [first, second]]
            #expect(overdue == expected)
            let deadline: MonotonicTime? = patience == nil ? nil : at(60)
            #expect(machine.nextDeadline == deadline)
        }
    }
}

/// A generator of the same numbers for the same seed (a linear congruential generator; Knuth's constants).
private struct SeededRandom: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
    }
}
