import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("The sessions of single watches")
struct WatchSessionTests {
    private let pair: TestPair

    init() throws { pair = try TestPair { $0.companions.serving = .all } }

    private var watch: UUID { pair.companion.identifier }

    /// Connects both, and returns the phone's session with the watch.
    private func connected() throws -> WCSession {
        #expect(pair.host.activate())
        #expect(pair.companion.activate())
        pair.companion.delegate.events.expect { $0.contains("reachable true") }
        pair.host.delegate.events.expect { $0.contains("reachablecompanion true") }
        return try #require(pair.host.session.core.session(for: watch))
    }

    private func refusal(_ send: () throws -> Void) -> Int {
        do {
            try send()
            return 0
        } catch {
            return (error as? WCError)?.code.rawValue ?? -1
        }
    }

    /// Sends each kind of content, and waits until each is refused with a code.
    private func isRefused(_ session: WCSession, with expected: Int) throws {
        let code = refusal { try session.updateApplicationContext(["n": expected]) }
        #expect(code == expected)
        let codes = Collector<Int>()
        session.sendMessage(["n": expected], replyHandler: nil) { codes.add(($0 as NSError).code) }
        codes.expect { $0 == [expected] }
        session.transferUserInfo(["n": expected])
        pair.host.delegate.events.expect { $0.contains("finished userInfo n=\(expected) \(expected) false") }
        let file = try pair.scratch.write("f\(expected)", "text")
        session.transferFile(URL(filePath: file), metadata: nil)
        pair.host.delegate.events.expect { $0.contains("finished file f\(expected) \(expected)") }
    }

    @Test("A session says which watch it is with, and is the same each time; an unknown watch has none")
    func counterpart() throws {
        let session = try connected()
        #expect(session.counterpart == Device(identifier: watch, role: .companion, name: "companion"))
        #expect(session !== pair.host.session)
        let again = pair.host.session.core.session(for: watch)
        #expect(session === again)
        let unknown = pair.host.session.core.session(for: UUID())
        #expect(unknown == nil)
        #expect(pair.host.session.counterpart == nil)
    }

    @Test("A phone that serves one watch, and a watch, have one session for all")
    func single() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let ofPhone = pair.host.session.core.session(for: pair.companion.identifier)
        #expect(ofPhone === pair.host.session)
        let ofWatch = pair.companion.session.core.session(for: pair.host.identifier)
        #expect(ofWatch === pair.companion.session)
    }

    @Test("Nothing is sent to a watch that is no longer paired")
    func unpaired() throws {
        let session = try connected()
        #expect(session.isPaired)
        try pair.host.session.simulator.unpair(watch)
        #expect(!session.isPaired)
        #expect(!session.isWatchAppInstalled)
        #expect(!session.isReachable)
        #expect(session.watchDirectoryURL == nil)
        try isRefused(session, with: 7005)
    }

    @Test("Nothing is sent to a watch without the app")
    func withoutApp() throws {
        let session = try connected()
        #expect(session.isWatchAppInstalled)
        try pair.host.session.simulator.setAppInstalled(false, on: watch)
        #expect(session.isPaired)
        #expect(!session.isWatchAppInstalled)
        try isRefused(session, with: 7006)
    }

    @Test("What is sent by the session of a watch arrives at that watch, whichever is the active one")
    func sent() throws {
        let session = try connected()
        let other = UUID()
        try pair.host.session.simulator.pair(other)
        try pair.host.session.simulator.switchTo(other)
        let active = pair.host.session.simulator.companions.filter(\.isActive).map(\.identifier)
        #expect(active == [other])
        session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["userInfo n=1"], "userInfo"))
        try session.updateApplicationContext(["n": 2])
        #expect(pair.companion.received(["context n=2"], "context"))
        #expect(session.applicationContext["n"] as? Int == 2)
        #expect(pair.host.session.applicationContext.isEmpty)
        let replies = Collector<Bool>()
        session.sendMessage(["n": 3], replyHandler: { _ in replies.add(true) })
        replies.expect { $0 == [true] }
    }

    @Test("Each watch has its own budget for the complication")
    func budget() throws {
        let session = try connected()
        let other = UUID()
        try pair.host.session.simulator.pair(other)
        for identifier in [watch, other] {
            try pair.host.session.simulator.setComplicationEnabled(true, on: identifier)
        }
        let ofOther = try #require(pair.host.session.core.session(for: other))
        #expect(session.transferCurrentComplicationUserInfo(["n": 1]).isCurrentComplicationInfo)
        #expect(session.remainingComplicationUserInfoTransfers == 49)
        #expect(ofOther.remainingComplicationUserInfoTransfers == 50)
        try pair.host.session.simulator.setComplicationEnabled(false, on: watch)
        #expect(session.remainingComplicationUserInfoTransfers == 0)
        #expect(!session.isComplicationEnabled)
        #expect(ofOther.isComplicationEnabled)
        #expect(!session.transferCurrentComplicationUserInfo(["n": 2]).isCurrentComplicationInfo)
    }
}
