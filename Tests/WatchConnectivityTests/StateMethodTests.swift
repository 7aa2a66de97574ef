import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// Does not return from any method that tells of a state, until the gate is opened.
private final class StateGateDelegate: NSObject, WCSessionDelegate, Sendable {
    let gate = DispatchSemaphore(value: 0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        gate.wait()
    }
    func sessionDidBecomeInactive(_ session: WCSession) { gate.wait() }
    func sessionDidDeactivate(_ session: WCSession) {
        gate.wait()
        session.activate()
    }
    func sessionWatchStateDidChange(_ session: WCSession) { gate.wait() }
    func sessionReachabilityDidChange(_ session: WCSession) { gate.wait() }
}

/// Returns the data that it receives.
private final class EchoDataDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        replyHandler(messageData)
    }
}

@Suite("The names of the methods that tell of a state")
struct StateMethodTests {
    private static let activation = "session(_:activationDidCompleteWith:error:)"

    /// Waits until a method is reported because it does not return, and lets it return.
    private func expectReport(_ name: String, _ device: TestDevice, _ gate: DispatchSemaphore) {
        device.log.expect(name) { records in
            records.contains { $0.event == .hint && $0.fields.contains(.method(name)) }
        }
        gate.signal()
        device.log.expect(name) { records in
            records.contains { $0.event == .delegateReturned && $0.fields.contains(.method(name)) }
        }
    }

    @Test("Each method of a switch is reported by its name when it does not return, in the order of the calls")
    func switched() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.connect())
        let (simulator, other) = (pair.host.session.simulator, UUID())
        try simulator.pair(other)
        let delegate = StateGateDelegate()
        pair.host.session.delegate = delegate
        try simulator.switchTo(other)
        let names = [
            "sessionReachabilityDidChange(_:)", "sessionDidBecomeInactive(_:)", "sessionDidDeactivate(_:)",
            "sessionWatchStateDidChange(_:)", Self.activation,
        ]
        for name in names { expectReport(name, pair.host, delegate.gate) }
        withExtendedLifetime(delegate) {}
    }

    @Test("So is the method that tells of an activation that failed")
    func failedActivation() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.host.activate())
        let delegate = StateGateDelegate()
        pair.host.session.delegate = delegate
        pair.host.session.simulator.setActivation(ActivationFault(failures: 1))
        pair.host.session.activate()
        expectReport(Self.activation, pair.host, delegate.gate)
        withExtendedLifetime(delegate) {}
    }

    @Test("So is the method that tells of one of several watches")
    func singleWatch() throws {
        let pair = try TestPair {
            $0.callPatience = [.milliseconds(5)]
            $0.companions.serving = .all
        }
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        pair.host.delegate.events.expect { $0.contains("reachablecompanion true") }
        let delegate = StateGateDelegate()
        pair.host.session.delegate = delegate
        try pair.host.session.simulator.setAppInstalled(false, on: pair.companion.identifier)
        expectReport("sessionWatchStateDidChange(_:)", pair.host, delegate.gate)
        // The watch is no longer reachable either.
        delegate.gate.signal()
        withExtendedLifetime(delegate) {}
    }

    @Test("So is a reply handler for data")
    func replyHandler() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.connect())
        let (delegate, gate) = (EchoDataDelegate(), DispatchSemaphore(value: 0))
        pair.host.session.delegate = delegate
        pair.companion.session.sendMessageData(Data([1]), replyHandler: { _ in gate.wait() })
        expectReport("a reply handler", pair.companion, gate)
        withExtendedLifetime(delegate) {}
    }
}
