import Foundation
import Testing

@testable import LinkProtocol

@Suite("The outbox's order, rounds and cancellations")
struct OutboxOrderTests {
    typealias Entry = OutboxStateMachine.Entry
    private static let unavailable = OutboxStateMachine.Outcome.unavailable(reason: "away")

    /// Returns a reachable outbox. With the greatest jitter, the first delay after a failure is 100 ms.
    private static func machine(_ entries: [Entry] = []) -> OutboxStateMachine {
        var machine = OutboxStateMachine(backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(5)))
        machine.accepted(entries)
        machine.reachabilityChanged(true)
        return machine
    }

    private static func entries(_ count: Int) -> [Entry] {
        (0..<count).map { Entry(identifier: UUID(), position: Int64($0)) }
    }

    private static func fail(_ entry: Entry, at seconds: Double, in machine: inout OutboxStateMachine) {
        _ = machine.settled(entry.identifier, unavailable, at: at(seconds), jitter: 1)
    }

    // MARK: - Order

    @Test("An entry is not urgent and was never sent unless something else is said")
    func plain() {
        let entry = Entry(identifier: UUID(), position: 1)
        #expect(!entry.isUrgent)
        #expect(entry.attempts == 0)
        #expect(!entry.startsRound)
        #expect(entry.predecessor == nil)
    }

    @Test("Entries of the same position keep the order in which they came, and none is lost")
    func equals() {
        let entries = (0..<3).map { _ in Entry(identifier: UUID(), position: 7) }
        var machine = Self.machine()
        for entry in entries { machine.inserted(entry) }
        #expect(machine.pendingCount == 3)
        let sent = machine.transmit(at: at(0)).map(\.identifier)
        #expect(sent == entries.map(\.identifier))
    }

    @Test("Urgent entries are sent first, then the others, both by their positions, in whatever order they came")
    func places() {
        var machine = Self.machine()
        for position: Int64 in [2, 4, 1, 6, 3, 5, 0] {
            machine.inserted(Entry(identifier: UUID(), position: position, isUrgent: position > 4))
        }
        let sent = machine.transmit(at: at(0)).map(\.position)
        #expect(sent == [5, 6, 0, 1, 2, 3, 4])
    }

    @Test("An urgent entry that is demoted returns to its place: while it waits, in flight, or after a failure")
    func demoted() {
        for place in 0..<3 {
            let plain = Entry(identifier: UUID(), position: 1)
            let urgent = Entry(identifier: UUID(), position: 2, isUrgent: true)
            var machine = Self.machine()
            machine.inserted(plain)
            machine.inserted(urgent)
            if place > 0 { _ = machine.transmit(at: at(0)) }
            if place == 2 { Self.fail(urgent, at: 0, in: &machine) }
            machine.demoted(urgent.identifier)
            if place > 0 { _ = machine.interrupted() }
            let sent = machine.transmit(at: at(0)).map(\.position)
            #expect(sent == [1, 2], "place \(place)")
        }
    }

    // MARK: - Rounds

    @Test("Only the first entry after a failure starts a round, and only that one")
    func rounds() {
        let entries = Self.entries(3)
        var machine = Self.machine(Array(entries.prefix(2)))
        let first = machine.transmit(at: at(0)).map(\.startsRound)
        for entry in entries.prefix(2) { Self.fail(entry, at: 0, in: &machine) }
        let again = machine.transmit(at: at(1)).map(\.startsRound)
        machine.accepted([entries[2]])
        let later = machine.transmit(at: at(1)).map(\.startsRound)
        #expect(first == [false, false])
        #expect(again == [true, false])
        #expect(later == [false])
    }

    @Test("Entries lost with their connection return to their places with those that had failed, as a new round")
    func interrupted() {
        let entries = Self.entries(4)
        var machine = Self.machine(Array(entries.prefix(3)))
        _ = machine.transmit(at: at(0))
        machine.accepted([entries[3]])
        Self.fail(entries[1], at: 0, in: &machine)
        let lost = machine.interrupted().map(\.identifier)
        #expect(lost == [entries[0].identifier, entries[2].identifier])
        #expect(machine.pendingCount == 4)
        let again = machine.transmit(at: at(0))
        #expect(again.map(\.identifier) == entries.map(\.identifier))
        #expect(again.map(\.startsRound) == [true, false, false, false])
        #expect(again.map(\.attempts) == [2, 2, 2, 1])
    }

    @Test("Entries that wait when a connection is lost keep their places, and go as a new round")
    func interruptedWaiting() {
        let entries = Self.entries(2)
        var machine = OutboxStateMachine(backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(5)))
        machine.accepted(entries)
        #expect(machine.interrupted() == [])
        machine.reachabilityChanged(true)
        let sent = machine.transmit(at: at(0))
        #expect(sent.map(\.identifier) == entries.map(\.identifier))
        #expect(sent.map(\.startsRound) == [true, false])
    }

    @Test("A connection that was lost with nothing to send starts no round")
    func interruptedIdle() {
        var machine = Self.machine()
        let lost = machine.interrupted()
        #expect(lost == [])
        machine.accepted(Self.entries(1))
        let rounds = machine.transmit(at: at(0)).map(\.startsRound)
        #expect(rounds == [false])
    }

    enum Reset: CaseIterable, Sendable {
        case none, success, refusal, connection
    }

    @Test("A second failed round doubles the delay, unless something succeeded or the peer reconnected in between")
    func delays() {
        for reset in Reset.allCases {
            let entries = Self.entries(2)
            var machine = Self.machine(entries)
            _ = machine.transmit(at: at(0))
            for entry in entries { Self.fail(entry, at: 0, in: &machine) }
            let first = machine.nextDeadline
            _ = machine.transmit(at: at(1))
            switch reset {
            case .none: Self.fail(entries[0], at: 1, in: &machine)
            case .success: _ = machine.settled(entries[0].identifier, .replied, at: at(1), jitter: 1)
            case .refusal: _ = machine.settled(entries[0].identifier, .refused(reason: "no"), at: at(1), jitter: 1)
            case .connection:
                machine.reachabilityChanged(false)
                machine.reachabilityChanged(true)
                Self.fail(entries[0], at: 1, in: &machine)
            }
            Self.fail(entries[1], at: 1, in: &machine)
            let second = machine.nextDeadline
            #expect(first == at(0.1), "\(reset)")
            #expect(second == (reset == .none ? at(1.2) : at(1.1)), "\(reset)")
        }
    }

    @Test("While the peer is away nothing is sent again, and there is no deadline")
    func goesAway() {
        let entries = Self.entries(1)
        var machine = Self.machine(entries)
        _ = machine.transmit(at: at(0))
        Self.fail(entries[0], at: 0, in: &machine)
        machine.reachabilityChanged(false)
        let deadline = machine.nextDeadline
        #expect(deadline == nil)
        let sent = machine.transmit(at: at(1))
        #expect(sent == [])
        #expect(machine.pendingCount == 1)
    }

    // MARK: - Cancellations

    @Test("An entry that waits for the others of its failed round can be cancelled, once")
    func cancelReturned() {
        let entries = Self.entries(2)
        var machine = Self.machine(entries)
        _ = machine.transmit(at: at(0))
        Self.fail(entries[0], at: 0, in: &machine)
        let cancelled = [0, 1].map { _ in machine.cancelled(entries[0].identifier, at: at(0), jitter: 1) }
        #expect(cancelled == [true, false])
        #expect(machine.pendingCount == 1)
    }

    @Test("When the last entry in flight is cancelled, the failed ones are sent again after their delay")
    func cancelLast() {
        let entries = Self.entries(2)
        var machine = Self.machine(entries)
        _ = machine.transmit(at: at(0))
        Self.fail(entries[0], at: 0, in: &machine)
        let isCancelled = machine.cancelled(entries[1].identifier, at: at(1), jitter: 1)
        #expect(isCancelled)
        #expect(machine.nextDeadline == at(1.1))
        let again = machine.transmit(at: at(1.1))
        #expect(again.map(\.identifier) == [entries[0].identifier])
        #expect(again.map(\.startsRound) == [true])
    }

    @Test("When the only entry that waits is cancelled, there is nothing more to wait for")
    func cancelWaiting() {
        let entries = Self.entries(1)
        var machine = Self.machine(entries)
        _ = machine.transmit(at: at(0))
        Self.fail(entries[0], at: 0, in: &machine)
        #expect(machine.nextDeadline == at(0.1))
        let isCancelled = machine.cancelled(entries[0].identifier, at: at(0), jitter: 1)
        #expect(isCancelled)
        #expect(machine.nextDeadline == nil)
        #expect(machine.pendingCount == 0)
    }

    @Test("An answer to a cancelled entry is ignored, and others in flight go on")
    func cancelInFlight() {
        let entries = Self.entries(2)
        var machine = Self.machine(entries)
        _ = machine.transmit(at: at(0))
        let isCancelled = machine.cancelled(entries[0].identifier, at: at(0), jitter: 1)
        #expect(isCancelled)
        let isUnderWay = entries.map { machine.isUnderWay($0.identifier) }
        #expect(isUnderWay == [false, true])
        let late = machine.settled(entries[0].identifier, .replied, at: at(0), jitter: 1)
        #expect(late == .ignore)
    }

    // MARK: - What the receiver may have

    /// Returns a reachable outbox with few entries in flight.
    private static func machine(window: Int, _ entries: [Entry]) -> OutboxStateMachine {
        var machine = OutboxStateMachine(
            backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(5)), window: window)
        machine.accepted(entries)
        machine.reachabilityChanged(true)
        return machine
    }

    @Test("An entry was sent if it is in flight, has failed, or waits for another attempt; no other was")
    func wasSent() {
        let entries = Self.entries(3)
        var machine = Self.machine(window: 2, entries)
        var sent = [entries.map { machine.wasSent($0.identifier) }]
        _ = machine.transmit(at: at(0))
        sent.append(entries.map { machine.wasSent($0.identifier) })
        for entry in entries.prefix(2) {
            Self.fail(entry, at: 0, in: &machine)
            sent.append(entries.map { machine.wasSent($0.identifier) })
        }
        #expect(sent == [[false, false, false], [true, true, false], [true, true, false], [true, true, false]])
        let stranger = machine.wasSent(UUID())
        #expect(!stranger)
        _ = machine.settled(entries[0].identifier, .replied, at: at(0), jitter: 1)
        _ = machine.transmit(at: at(1))
        _ = machine.settled(entries[0].identifier, .replied, at: at(1), jitter: 1)
        let replied = machine.wasSent(entries[0].identifier)
        #expect(!replied)
    }

    @Test("A delay that has passed is no deadline any more, even if more entries wait for the window")
    func passedDelay() {
        let entries = Self.entries(2)
        var machine = Self.machine(window: 1, entries)
        _ = machine.transmit(at: at(0))
        Self.fail(entries[0], at: 0, in: &machine)
        #expect(machine.nextDeadline == at(0.1))
        let again = machine.transmit(at: at(0.1)).map(\.identifier)
        #expect(again == [entries[0].identifier])
        #expect(machine.pendingCount == 2)
        #expect(machine.nextDeadline == nil)
    }

    @Test("Without a time-out no entry is overdue, and none has a deadline; with one, the last report restarts it")
    func delivering() {
        for patience in [Duration.seconds(60), nil] {
            let entries = Self.entries(2)
            var machine = OutboxStateMachine(
                backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(5)), patience: patience)
            machine.accepted(entries)
            machine.reachabilityChanged(true)
            _ = machine.transmit(at: at(0))
            machine.delivering(at: at(10))
            let deadline: MonotonicTime? = patience == nil ? nil : at(70)
            #expect(machine.nextDeadline == deadline)
            let overdue = [69, 70].map { machine.overdue(at: at($0)).count }
            #expect(overdue == (patience == nil ? [0, 0] : [0, 2]))
        }
    }
}
