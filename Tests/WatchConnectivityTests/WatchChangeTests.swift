import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Has no methods for a switch.
private final class UnawareDelegate: NSObject, WCSessionDelegate, Sendable {
    let events = Collector<String>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        events.add("activated \(state.rawValue)")
    }
}

/// Notes which watch a change concerns, and whether it has the app.
private final class WatchStateDelegate: NSObject, WCSessionDelegate, Sendable {
    let events = Collector<String>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func sessionWatchStateDidChange(_ session: WCSession) {
        events.add("\(session.counterpart?.identifier.uuidString ?? "all") \(session.isWatchAppInstalled)")
    }
}

@Suite("What an app is told when its counterparts change")
struct WatchChangeTests {
    private let other = UUID()

    /// Waits until the app has been told of all changes that were made.
    private func settle(_ device: TestDevice) {
        _ = device.session.simulator.linkCondition
        let passed = Collector<Bool>()
        device.session.core.queue.enqueue { passed.add(true) }
        passed.expect { $0 == [true] }
    }

    /// Puts on a watch that nobody has worn before.
    private func change(_ device: TestDevice) throws {
        try device.session.simulator.pair(other)
        try device.session.simulator.switchTo(other)
    }

    @Test("A change of a watch that is not the active one is not told to the application's session")
    func inactive() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let simulator = pair.host.session.simulator
        try simulator.pair(other)
        settle(pair.host)
        let former = pair.host.delegate.all("watch")
        try simulator.setAppInstalled(false, on: other)
        settle(pair.host)
        #expect(pair.host.delegate.all("watch") == former)
        try simulator.setAppInstalled(false, on: pair.companion.identifier)
        settle(pair.host)
        #expect(pair.host.delegate.all("watch") == former + ["watch paired=true app=false"])
    }

    @Test("Where each watch has a session, a change is told with that of the watch, whichever is the active one")
    func single() throws {
        let pair = try TestPair { $0.companions.serving = .all }
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        pair.host.delegate.events.expect { $0.contains("reachablecompanion true") }
        let (delegate, simulator) = (WatchStateDelegate(), pair.host.session.simulator)
        pair.host.session.delegate = delegate
        try simulator.pair(other)
        settle(pair.host)
        try simulator.setAppInstalled(false, on: other)
        settle(pair.host)
        #expect(delegate.events.all == ["\(other.uuidString) true", "\(other.uuidString) false"])
    }

    @Test("A silent fault changes reachability without a word, and its end is told")
    func silent() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let (session, delegate) = (pair.companion.session, pair.companion.delegate)
        let former = delegate.all("reachable")
        session.simulator.setReachability(ReachabilityFault(.never, isSilent: true))
        settle(pair.companion)
        #expect(!session.isReachable)
        #expect(delegate.all("reachable") == former)
        session.simulator.setReachability(ReachabilityFault())
        settle(pair.companion)
        #expect(delegate.all("reachable") == former + ["reachable true"])
    }

    @Test("An app without the methods for a switch gets the hint, and its session is activated with the next watch")
    func unaware() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let delegate = UnawareDelegate()
        pair.host.session.delegate = delegate
        try change(pair.host)
        delegate.events.expect { $0 == ["activated 2"] }
        #expect(pair.host.hints == [.switchNotHandled])
    }

    @Test("What is sent after a deactivation gets the hint to activate the session again")
    func deactivated() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.delegate.onDeactivate.withLock { $0 = { _ in } }
        try change(pair.host)
        pair.host.delegate.events.expect { $0.contains("deactivated 0") }
        pair.host.session.transferUserInfo(["n": 1])
        #expect(pair.host.hints == [.notReactivated])
    }

    @Test("What is sent before the activation of an app that ended gets that hint, also if there was a switch before")
    func ended() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        try change(pair.host)
        pair.host.delegate.events.expect { events in events.count { $0 == "activated 2 ok" } == 2 }
        pair.host.session.simulator.enter(.terminated)
        pair.host.session.transferUserInfo(["n": 1])
        #expect(pair.host.hints == [.sendBeforeActivation])
    }

    @Test("An app that has not activated its session again after five seconds gets the hint, and one that has does not")
    func forgetful() throws {
        let (careful, forgetful) = (try TestPair(), try TestPair())
        forgetful.host.delegate.onDeactivate.withLock { $0 = { _ in } }
        for pair in [careful, forgetful] {
            #expect(pair.connect())
            try change(pair.host)
            pair.host.delegate.events.expect { $0.contains("deactivated 0") }
        }
        #expect(forgetful.host.logs(Hint.notReactivated))
        #expect(careful.host.hints == [])
    }
}
