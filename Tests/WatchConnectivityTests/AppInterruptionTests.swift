import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import LinkTransport
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Answers each message, and does not return until the gate is opened.
private final class AnsweringGateDelegate: NSObject, WCSessionDelegate, Sendable {
    let gate = DispatchSemaphore(value: 0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        replyHandler([:])
        gate.wait()
    }
}

/// Keeps the reply handler of each message.
private final class KeepingDelegate: NSObject, WCSessionDelegate, Sendable {
    let held = Collector<UncheckedBox<([String: Any]) -> Void>>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { held.add(UncheckedBox(replyHandler)) }
}

@Suite("Apps that are suspended, ended or started")
struct AppInterruptionTests {
    private let pair: TestPair

    init() throws { pair = try TestPair() }

    /// Waits until everything that has arrived at a device was offered to its app, and the outcome is known.
    private func settle(_ device: TestDevice) throws {
        let (simulator, queue) = (device.session.simulator, device.session.core.queue)
        let shell = try #require(device.session.core.shell)
        for _ in 1...2 {
            _ = simulator.linkCondition
            _ = try simulator.ledger()
        }
        _ = simulator.linkCondition
        let passed = Collector<String>()
        if !queue.isHeld {
            queue.enqueue { passed.add("queue") }
            passed.expect { $0 == ["queue"] }
            _ = simulator.linkCondition
        }
        // Outcomes wait for others of the same time.
        shell.watch(until: MonotonicTime.now + .milliseconds(5)) {
            passed.add("time")
            return nil
        }
        passed.expect { $0.contains("time") }
        _ = try simulator.ledger()
        _ = simulator.linkCondition
    }

    @Test("A reply for a suspended app waits until the app runs again")
    func heldReply() throws {
        #expect(pair.connect())
        let delegate = KeepingDelegate()
        pair.companion.session.delegate = delegate
        let (simulator, replies) = (pair.host.session.simulator, Collector<Bool>())
        pair.host.session.sendMessage(["n": 1], replyHandler: { _ in replies.add(true) })
        delegate.held.expect { $0.count == 1 }
        simulator.enter(.suspended)
        // Writes the earlier notes, so that the next change is the reply's.
        _ = try simulator.ledger()
        let changes = Collector<Bool>()
        simulator.whenLedgerChanges { changes.add(true) }
        delegate.held.all.first?.value([:])
        changes.expect { $0 == [true] }
        // Waits for the loop, which would have passed the reply on by then.
        _ = simulator.linkCondition
        #expect(replies.all == [])
        simulator.enter(.foreground)
        replies.expect { $0 == [true] }
    }

    @Test("An app that was woken by a message is not suspended again while it handles the message")
    func wokenWhileBusy() {
        #expect(pair.connect())
        let delegate = AnsweringGateDelegate()
        pair.host.session.delegate = delegate
        let (simulator, replies) = (pair.host.session.simulator, Collector<Bool>())
        simulator.enter(.suspended)
        pair.companion.session.sendMessage(["n": 1], replyHandler: { _ in replies.add(true) })
        replies.expect { $0 == [true] }
        // Waits for the loop, which would have suspended the app by then.
        _ = simulator.linkCondition
        #expect(simulator.application == .background)
        delegate.gate.signal()
        pair.host.log.expect {
            $0.last { $0.event == .applicationStateChanged }?.fields == [.application("suspended")]
        }
    }

    @Test("A device whose app is suspended can end, and what waited for the app is not called")
    func endOfSuspended() {
        #expect(pair.host.activate())
        let called = Collector<Bool>()
        pair.host.session.simulator.enter(.suspended)
        pair.host.session.core.queue.enqueue { called.add(true) }
        #expect(pair.host.end())
        #expect(called.all == [])
    }

    @Test("An app that starts in the background is there before and after the activation")
    func startInBackground() {
        let device = TestDevice(.companion, in: pair.scratch, name: "asleep") { $0.application = .background }
        #expect(device.session.simulator.application == .background)
        #expect(device.activate())
        #expect(device.session.simulator.application == .background)
    }

    @Test("A delegate that is set while the app does not run is told of the activation before it gets content")
    func delegateOfEndedApp() throws {
        #expect(pair.connect())
        let simulator = pair.host.session.simulator
        pair.host.session.delegate = nil
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["finished userInfo n=1 ok false"], "finished"))
        try settle(pair.host)
        simulator.enter(.terminated)
        let delegate = RecordingDelegate()
        pair.host.session.delegate = delegate
        // Content that is given too early waits for the app by then.
        try settle(pair.host)
        simulator.enter(.foreground)
        delegate.events.expect { $0.contains("userInfo n=1") }
        let events = delegate.events.all.filter { $0.hasPrefix("activated") || $0.hasPrefix("userInfo") }
        #expect(events == ["activated 2 ok", "userInfo n=1"])
    }

    @Test("Nobody is reachable for a session that is not activated, whatever a fault makes the device believe")
    func believed() {
        #expect(pair.connect())
        let (session, simulator) = (pair.host.session, pair.host.session.simulator)
        simulator.setReachability(ReachabilityFault(.always))
        #expect(session.isReachable)
        simulator.enter(.terminated)
        #expect(!session.isReachable)
    }

    @Test("A watch's app observes that its phone's app is removed and installed again")
    func phoneApp() {
        #expect(pair.connect())
        let seen = Collector<String>()
        let observation = pair.companion.session.observe(\.isCompanionAppInstalled, options: [.old, .new]) {
            seen.add("\($1.oldValue ?? false) \($1.newValue ?? false)")
        }
        pair.host.session.simulator.setAppInstalled(false)
        seen.expect { $0 == ["true false"] }
        pair.host.session.simulator.setAppInstalled(true)
        seen.expect { $0 == ["true false", "false true"] }
        observation.invalidate()
    }
}
