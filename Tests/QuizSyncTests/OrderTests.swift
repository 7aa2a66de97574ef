import Foundation
import LinkProtocol
import Testing

@testable import QuizSync
@testable import RecordSync

/// The companion's outbox and the host's gate with anything in between: items that are lost, late, stored without a
/// reply, refused, or left over from an earlier connection.
@Suite("Order of acceptance")
struct OrderTests {
    private struct Sent {
        let entry: OutboxStateMachine.Entry
        /// Its reply, if lost, is lost permanently: the companion has been notified.
        var isAbandoned = false
    }

    private let device = UUID()

    @Test(
        "Quizzes are stored in the order of acceptance, whatever happens in between",
        arguments: 1...300 as ClosedRange<UInt64>)
    func order(_ seed: UInt64) {
        let positions = stored(seed, ignoringPredecessors: false)
        #expect(positions == positions.sorted())
        #expect(positions.count > 10)
    }

    @Test("Without predecessors the order breaks, so the trial can detect it")
    func withoutPredecessors() {
        let orders = (1...300 as ClosedRange<UInt64>).map { stored($0, ignoringPredecessors: true) }
        #expect(orders.contains { $0 != $0.sorted() }, "all \(orders.count) ascend")
    }

    @Test("A gate accepts only a quiz without a predecessor, or with the last settled one")
    func gate() {
        var gate = PredecessorGate()
        let quizzes = (0..<4).map { _ in UUID() }
        var round: [IdentifierKey: UUID] = [:]
        let unknown = gate.admits(quizzes[1], after: quizzes[0], from: device, in: &round)
        let first = gate.admits(quizzes[0], after: nil, from: device, in: &round)
        let next = gate.admits(quizzes[1], after: quizzes[0], from: device, in: &round)
        let skipping = gate.admits(quizzes[3], after: quizzes[2], from: device, in: &round)
        let other = gate.admits(quizzes[2], after: quizzes[1], from: UUID(), in: &round)
        #expect([unknown, first, next, skipping, other] == [false, true, true, false, false])
        // The round fails: none of it is settled.
        var again: [IdentifierKey: UUID] = [:]
        #expect(!gate.admits(quizzes[2], after: quizzes[1], from: device, in: &again))
        gate.settled(round)
        let afterwards = gate.admits(quizzes[2], after: quizzes[1], from: device, in: &again)
        #expect(afterwards)
    }

    /// Runs a companion and a host with random events.
    ///
    /// - Returns: The positions of the stored quizzes, each once, in row order.
    private func stored(_ seed: UInt64, ignoringPredecessors ignoresPredecessors: Bool) -> [Int64] {
        var random = SeededGenerator(seed: seed)
        var machine = OutboxStateMachine(
            backoff: Backoff(initial: .milliseconds(1), maximum: .milliseconds(2)), window: 8)
        var (gate, onTheWay, order) = (PredecessorGate(), [[Sent]](), [Int64]())
        var (known, last, time) = (Set<UUID>(), Int64(0), MonotonicTime(nanoseconds: 0))
        onTheWay.append([])
        machine.reachabilityChanged(true)
        for _ in 0..<2_000 {
            time = time + .milliseconds(1)
            switch random.unit() {
            case ..<0.2:
                last += 1
                machine.accepted([OutboxStateMachine.Entry(identifier: UUID(), position: last)])
            case ..<0.25:
                // A new connection. The rest of the old one may arrive later, and its end may be noticed later.
                onTheWay.append([])
                machine.reachabilityChanged(true)
            case ..<0.27: gate = PredecessorGate()
            case ..<0.4:
                // Quizzes in flight count as lost, but may still arrive.
                let connection = Int(random.unit() * Double(onTheWay.count))
                for place in onTheWay[connection].indices where random.happens(0.7) {
                    onTheWay[connection][place].isAbandoned = true
                    let identifier = onTheWay[connection][place].entry.identifier
                    _ = machine.settled(identifier, .unavailable(reason: "lost"), at: time, jitter: 1)
                }
            default:
                // Some of one connection arrive, in order, in one transaction, or are dropped with the rest of it.
                let connection = Int(random.unit() * Double(onTheWay.count))
                let count = Int(random.unit() * Double(onTheWay[connection].count + 1))
                let arrivals = Array(onTheWay[connection].prefix(count))
                onTheWay[connection].removeFirst(count)
                let fails = random.happens(0.2)
                var round: [IdentifierKey: UUID] = [:]
                let admitted = arrivals.map {
                    gate.admits(
                        $0.entry.identifier, after: ignoresPredecessors ? nil : $0.entry.predecessor, from: device,
                        in: &round)
                }
                for (arrival, isAdmitted) in zip(arrivals, admitted) where isAdmitted && !fails {
                    if known.insert(arrival.entry.identifier).inserted { order.append(arrival.entry.position) }
                }
                if !fails { gate.settled(round) }
                for (arrival, isAdmitted) in zip(arrivals, admitted) where !arrival.isAbandoned {
                    let outcome: OutboxStateMachine.Outcome =
                        isAdmitted && !fails && random.happens(0.9) ? .replied : .unavailable(reason: "later")
                    _ = machine.settled(arrival.entry.identifier, outcome, at: time, jitter: 1)
                }
            }
            onTheWay[onTheWay.count - 1] += machine.transmit(at: time).map { Sent(entry: $0) }
        }
        return order
    }
}
