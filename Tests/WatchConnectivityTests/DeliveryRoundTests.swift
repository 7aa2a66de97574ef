import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

private typealias Handlers = Collector<UncheckedBox<([String: Any]) -> Void>>

/// Keeps the reply handler of each message.
private final class KeepingDelegate: NSObject, WCSessionDelegate, Sendable {
    let held: Handlers

    init(_ held: Handlers) { self.held = held }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { held.add(UncheckedBox(replyHandler)) }
}

/// Keeps them as well, and takes its messages in rounds, the first of which with messages ends when the gate is opened.
private final class RoundDelegateWithGate: NSObject, RoundDelegate, Sendable {
    let held: Handlers
    let ends = Collector<Bool>()
    let gate = DispatchSemaphore(value: 0)

    init(_ held: Handlers) { self.held = held }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { held.add(UncheckedBox(replyHandler)) }
    func sessionsDidEndRound() {
        guard !held.all.isEmpty, ends.all.isEmpty else { return }
        ends.add(true)
        gate.wait()
    }
}

/// Releases each reply handler without a call.
private final class SilentRoundDelegate: NSObject, RoundDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {}
    func sessionsDidEndRound() {}
}

@Suite("Rounds of deliveries")
struct DeliveryRoundTests {
    private let pair: TestPair
    private let held = Handlers()

    init() throws {
        pair = try TestPair()
        #expect(pair.connect())
    }

    @Test("A delegate that keeps its reply handlers gets all messages, in rounds or not", arguments: [false, true])
    func kept(isInRounds: Bool) {
        let rounds = RoundDelegateWithGate(held)
        let single = KeepingDelegate(held)
        rounds.gate.signal()
        if isInRounds {
            pair.host.session.delegate = rounds
        } else {
            pair.host.session.delegate = single
        }
        let count = LinkLimits.undeliveredMessages + 100
        for _ in 0..<count { pair.companion.session.sendMessage(["n": 1], replyHandler: { _ in }) }
        held.expect { $0.count == count }
        #expect(pair.host.session.openReplies == count)
        withExtendedLifetime((rounds, single)) {}
    }

    @Test("A message counts as delivered when the round that it came in has ended")
    func delivered() throws {
        let delegate = RoundDelegateWithGate(held)
        pair.host.session.delegate = delegate
        let (message, replies) = (UUID(), Collector<Bool>())
        let handlers = MessageHandlers(kind: .message, reply: .dictionary({ _ in replies.add(true) }), error: nil)
        pair.companion.session.core.send(
            try MessagePayload.data(["n": 1]), identifier: message, to: nil, handlers)
        delegate.ends.expect { $0 == [true] }
        // Waits for the loop, which would have noted the delivery by then.
        _ = pair.host.session.simulator.linkCondition
        let state = try pair.host.ledger(message, .incoming)?.state
        #expect(state == .received)
        delegate.gate.signal()
        held.all.first?.value([:])
        replies.expect { $0 == [true] }
        withExtendedLifetime(delegate) {}
    }

    @Test("A reply handler that is released in a round is noticed when the round has ended")
    func dropped() {
        let delegate = SilentRoundDelegate()
        pair.host.session.delegate = delegate
        pair.companion.session.sendMessage(["n": 1], replyHandler: { _ in })
        #expect(pair.host.logs(Hint.replyDropped))
        #expect(pair.host.session.openReplies == 0)
        withExtendedLifetime(delegate) {}
    }
}
