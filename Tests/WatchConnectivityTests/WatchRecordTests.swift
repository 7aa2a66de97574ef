import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import SessionStorage
import Storage
import TestSupport
import Testing

@testable import WatchConnectivity

@Suite("What a phone keeps for each of its watches")
struct WatchRecordTests {
    private let scratch: Scratch
    private let host: TestDevice
    private let watch = UUID()

    private var session: WCSession { host.session }
    private var simulator: DeviceSimulator { host.session.simulator }

    init() throws {
        scratch = try Scratch()
        host = TestDevice(.host, in: scratch)
        #expect(host.activate())
    }

    /// Waits until the store has done all that was asked for.
    private func awaitStore() throws { _ = try simulator.ledger() }

    @Test("A watch has a directory, but none is created for one that is not paired or has no app")
    func directory() throws {
        try simulator.pair(watch)
        let path = try #require(session.watchDirectoryURL).path(percentEncoded: false)
        func isThere() -> Bool { FileManager.default.fileExists(atPath: path) }
        let whenPaired = isThere()
        #expect(whenPaired)
        try FileManager.default.removeItem(atPath: path)
        try simulator.setAppInstalled(false, on: watch)
        let withoutApp = isThere()
        #expect(!withoutApp)
        try simulator.setAppInstalled(true, on: watch)
        let withApp = isThere()
        #expect(withApp)
        try FileManager.default.removeItem(atPath: path)
        try simulator.unpair(watch)
        let whenUnpaired = isThere()
        #expect(!whenUnpaired)
    }

    @Test("What was queued before there was a watch is shown as that of the first one")
    func adopted() throws {
        let transfer = session.transferUserInfo(["n": 1])
        try session.updateApplicationContext(["n": 2])
        try simulator.pair(watch)
        try awaitStore()
        #expect(session.outstandingUserInfoTransfers == [transfer])
        #expect(session.applicationContext["n"] as? Int == 2)
    }

    @Test("A watch that loses the app has no context any more")
    func contexts() throws {
        try simulator.pair(watch)
        try session.updateApplicationContext(["n": 1])
        #expect(session.applicationContext["n"] as? Int == 1)
        try simulator.setAppInstalled(false, on: watch)
        try awaitStore()
        #expect(session.applicationContext.isEmpty)
    }

    @Test("A transfer that is no longer in the store is not outstanding")
    func forgottenTransfer() {
        let transfers = (1...2).map { session.transferUserInfo(["n": $0]) }
        session.core.forgot([transfers[0].identifier])
        #expect(session.outstandingUserInfoTransfers == [transfers[1]])
    }

    @Test("A watch that was forgotten starts with a whole budget when it comes back")
    func budget() throws {
        try simulator.pair(watch)
        try simulator.setComplicationEnabled(true, on: watch)
        session.transferCurrentComplicationUserInfo(["n": 1])
        #expect(session.remainingComplicationUserInfoTransfers == 49)
        session.core.forget(watch)
        #expect(session.remainingComplicationUserInfoTransfers == 50)
    }

    @Test("A watch that was forgotten is unknown after a restart")
    func forgotten() throws {
        try simulator.pair(watch)
        session.core.forget(watch)
        #expect(host.restart())
        #expect(simulator.companions.isEmpty)
    }

    @Test("Changes of watches that come while the store is busy are made in their order")
    func busyStore() throws {
        let core = session.core
        let queue = try #require(core.shell).home.queue
        let other = UUID()
        queue.suspend()
        for watch in [watch, other] { core.keep(Companion(identifier: watch, name: "first")) }
        core.drop(watch)
        core.drop(other)
        core.keep(Companion(identifier: watch, name: "last"))
        queue.resume()
        try awaitStore()
        let stored = try #require(core.shell).home.store.companions().map(\.companion)
        #expect(stored == [Companion(identifier: watch, name: "last")])
    }

    @Test("A record that the disk did not let go is written at the end as it is then")
    func unforgotten() throws {
        try simulator.pair(watch)
        try awaitStore()
        let former = host.count(.companionChanged)
        try simulator.setDisk(.full)
        session.core.forget(watch)
        #expect(host.logs(.databaseUnavailable))
        try simulator.setDisk(.none)
        #expect(host.end())
        // One of them is the attempt that failed.
        #expect(host.count(.companionChanged) >= former + 2)
    }
}
