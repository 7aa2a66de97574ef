import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Does not return from any method that receives content, until the gate is opened.
private final class GateDelegate: NSObject, WCSessionDelegate, Sendable {
    let gate = DispatchSemaphore(value: 0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { gate.wait() }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        gate.wait()
        replyHandler([:])
    }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data) { gate.wait() }
    func session(_ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
    {
        gate.wait()
        replyHandler(Data())
    }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) { gate.wait() }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) { gate.wait() }
    func session(_ session: WCSession, didReceive file: WCSessionFile) { gate.wait() }
    func session(_ session: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        gate.wait()
    }
}

@Suite("The names of the delegate's methods")
struct DelegateMethodTests {
    /// A way to have one of the delegate's methods called, and the method's name.
    struct Call: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (WCSession, URL) throws -> Void

        init(_ name: String, _ send: @escaping @Sendable (WCSession, URL) throws -> Void) {
            testDescription = name
            self.send = send
        }
    }

    static let calls: [Call] = [
        Call("session(_:didReceiveMessage:)") { session, _ in
            session.sendMessage(["n": 1], replyHandler: nil)
        },
        Call("session(_:didReceiveMessage:replyHandler:)") { session, _ in
            session.sendMessage(["n": 1], replyHandler: { _ in })
        },
        Call("session(_:didReceiveMessageData:)") { session, _ in
            session.sendMessageData(Data([1]), replyHandler: nil)
        },
        Call("session(_:didReceiveMessageData:replyHandler:)") { session, _ in
            session.sendMessageData(Data([1]), replyHandler: { _ in })
        },
        Call("session(_:didReceiveApplicationContext:)") { session, _ in
            try session.updateApplicationContext(["n": 1])
        },
        Call("session(_:didReceiveUserInfo:)") { session, _ in session.transferUserInfo(["n": 1]) },
        Call("session(_:didReceive:)") { session, file in session.transferFile(file, metadata: nil) },
    ]

    @Test("Each that does not return is reported by its name, and once more when it returns", arguments: calls)
    func received(_ call: Call) throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.connect())
        let delegate = GateDelegate()
        pair.host.session.delegate = delegate
        let file = try pair.scratch.write("f", "text")
        try call.send(pair.companion.session, URL(filePath: file))
        pair.host.log.expect { records in
            records.contains { $0.event == .hint && $0.fields.contains(.method(call.testDescription)) }
        }
        let overdue = pair.host.session.simulator.overdueCall?.call.method
        #expect(overdue == call.testDescription)
        delegate.gate.signal()
        pair.host.log.expect { records in
            records.contains {
                $0.event == .delegateReturned && $0.fields.contains(.method(call.testDescription))
            }
        }
        withExtendedLifetime(delegate) {}
    }

    @Test("So are the report of an end, an error handler and an observer")
    func others() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.companion.activate())
        let session = pair.companion.session
        let delegate = GateDelegate()
        session.delegate = delegate
        func blocks(_ name: String, _ start: () -> Void) {
            start()
            pair.companion.log.expect(name) { records in
                records.contains { $0.event == .hint && $0.fields.contains(.method(name)) }
            }
            delegate.gate.signal()
            pair.companion.log.expect(name) { records in
                records.contains { $0.event == .delegateReturned && $0.fields.contains(.method(name)) }
            }
        }
        blocks("session(_:didFinish:error:)") { session.transferUserInfo(["u": UUID()]) }
        let gate = delegate.gate
        blocks("an error handler") { session.sendMessage(["n": 1], replyHandler: nil) { _ in gate.wait() } }
        let observation = session.observe(\.applicationContext) { _, _ in gate.wait() }
        blocks("an observer's change handler") {
            do {
                try session.updateApplicationContext(["n": 1])
            } catch {
                Issue.record(error)
            }
        }
        observation.invalidate()
        withExtendedLifetime(delegate) {}
    }

    @Test("So is an observer of a state")
    func stateObserver() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(5)] }
        #expect(pair.companion.activate())
        let (name, gate) = ("an observer's change handler", DispatchSemaphore(value: 0))
        let observation = pair.companion.session.observe(\.isReachable) { _, _ in gate.wait() }
        #expect(pair.host.activate())
        pair.companion.log.expect { records in
            records.contains { $0.event == .hint && $0.fields.contains(.method(name)) }
        }
        let overdue = pair.companion.session.simulator.overdueCall?.call.method
        #expect(overdue == name)
        observation.invalidate()
        gate.signal()
        pair.companion.log.expect { records in
            records.contains { $0.event == .delegateReturned && $0.fields.contains(.method(name)) }
        }
    }

    @Test("Those of the delegate are its methods, without handlers and observers")
    func ofDelegate() {
        #expect(
            LintRun.delegateMethods == [
                "session(_:activationDidCompleteWith:error:)", "sessionDidBecomeInactive(_:)",
                "sessionDidDeactivate(_:)", "sessionWatchStateDidChange(_:)",
                "sessionCompanionAppInstalledDidChange(_:)", "sessionReachabilityDidChange(_:)",
                "session(_:didReceiveMessage:)", "session(_:didReceiveMessage:replyHandler:)",
                "session(_:didReceiveMessageData:)", "session(_:didReceiveMessageData:replyHandler:)",
                "session(_:didReceiveApplicationContext:)", "session(_:didReceiveUserInfo:)",
                "session(_:didReceive:)", "session(_:didFinish:error:)",
            ])
    }
}
