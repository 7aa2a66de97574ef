import DeviceShell
import Dispatch
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing

@testable import WatchConnectivity

/// Has only the required method.
private final class RequiredDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
}

/// Answers each message twice, one time with something that cannot be sent.
private final class WrongAnswerDelegate: NSObject, WCSessionDelegate, Sendable {
    private let isWrongFirst: Bool

    init(isWrongFirst: Bool) { self.isWrongFirst = isWrongFirst }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        if isWrongFirst { replyHandler(["a": UUID()]) }
        replyHandler(["a": 1])
        if !isWrongFirst { replyHandler(["a": UUID()]) }
    }
}

/// Does not return from the method that tells of the phone's app.
private final class BlockedDelegate: NSObject, WCSessionDelegate, Sendable {
    let gate = DispatchSemaphore(value: 0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func sessionCompanionAppInstalledDidChange(_ session: WCSession) { gate.wait() }
}

@Suite("What delegates make of what they are given")
struct DelegateAnswerTests {
    @Test("Each transfer for which the delegate has no method is said to have none")
    func missingMethods() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let delegate = RequiredDelegate()
        pair.host.session.delegate = delegate
        let file = try pair.scratch.write("f", "text")
        try pair.companion.session.updateApplicationContext(["n": 1])
        pair.companion.session.transferUserInfo(["n": 1])
        pair.companion.session.transferFile(URL(filePath: file), metadata: nil)
        for kind in ["context", "user info", "file"] {
            pair.host.log.expect(kind) { records in
                records.contains { $0.event == .delegateMethodMissing && $0.fields.contains(.kind(kind)) }
            }
        }
        withExtendedLifetime(delegate) {}
    }

    @Test("Of two answers the first counts, also if one of them cannot be sent", arguments: [false, true])
    func twice(isWrongFirst: Bool) throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let delegate = WrongAnswerDelegate(isWrongFirst: isWrongFirst)
        pair.host.session.delegate = delegate
        let ends = Collector<String>()
        pair.companion.session.sendMessage(["n": 1]) { _ in
            ends.add("reply")
        } errorHandler: { _ in
            ends.add("error")
        }
        ends.expect { $0 == [isWrongFirst ? "error" : "reply"] }
        #expect(pair.host.logs(.replyRepeated))
        #expect(pair.host.count(.replyRepeated) == 1)
        #expect(pair.host.hints.contains(.replyRepeated))
        #expect(pair.host.session.openReplies == 0)
        withExtendedLifetime(delegate) {}
    }

    @Test("The method that tells of the phone's app is reported by its name when it does not return")
    func blocked() throws {
        let pair = try TestPair { $0.callPatience = [.milliseconds(20)] }
        #expect(pair.connect())
        let delegate = BlockedDelegate()
        pair.companion.session.delegate = delegate
        pair.host.session.simulator.setAppInstalled(false)
        let method = LogField.method("sessionCompanionAppInstalledDidChange(_:)")
        pair.companion.log.expect { records in
            records.contains { $0.event == .hint && $0.fields.contains(method) }
        }
        delegate.gate.signal()
        #expect(pair.companion.logs(.delegateReturned))
    }

    @Test("What an earlier run left for the delegate is pending until it is given")
    func leftFromEarlier() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.delegate = nil
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["finished userInfo n=1 ok false"], "finished"))
        #expect(pair.host.end())
        let session = WCSession(configuration: pair.host.configuration)
        let delegate = RecordingDelegate()
        session.delegate = delegate
        let pending = Collector<Bool>()
        let observation = session.observe(\.hasContentPending, options: [.new]) { _, change in
            pending.add(change.newValue ?? false)
        }
        session.activate()
        delegate.events.expect { $0.contains("userInfo n=1") }
        pending.expect { $0 == [true, false] }
        observation.invalidate()
        let ended = Collector<Bool>()
        session.shutDown("test") { ended.add(true) }
        ended.expect { $0 == [true] }
    }
}
