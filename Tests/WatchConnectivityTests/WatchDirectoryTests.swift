import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

/// Notes the directory for the watch in each call of a switch, and activates the session again.
private final class DirectoryDelegate: NSObject, WCSessionDelegate, Sendable {
    let seen = Collector<String>()

    private func note(_ call: String, _ session: WCSession) {
        seen.add("\(call) \(session.watchDirectoryURL?.lastPathComponent ?? "none")")
    }

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        note("activated", session)
    }
    func sessionDidBecomeInactive(_ session: WCSession) { note("inactive", session) }
    func sessionDidDeactivate(_ session: WCSession) {
        note("deactivated", session)
        session.activate()
    }
}

@Suite("The directory for a watch")
struct WatchDirectoryTests {
    @Test("It is the former watch's while the session is inactive, nobody's when it is deactivated, then the new one's")
    func switching() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let second = TestDevice(.companion, in: pair.scratch, name: "second")
        #expect(second.activate())
        pair.host.log.expect { $0.count { $0.event == .companionChanged } >= 2 }
        let session = pair.host.session
        let former = try #require(session.watchDirectoryURL).lastPathComponent
        let delegate = DirectoryDelegate()
        session.delegate = delegate
        try session.simulator.switchTo(second.identifier)
        delegate.seen.expect { $0.count == 3 }
        let present = try #require(session.watchDirectoryURL).lastPathComponent
        #expect(present != former)
        #expect(delegate.seen.all == ["inactive \(former)", "deactivated none", "activated \(present)"])
    }
}
