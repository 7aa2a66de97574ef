import Foundation
import Locking
import Testing
import WatchLinkTesting

/// The example of the documentation: an app's delegate, as small as it gets.
private final class Scores: NSObject, WCSessionDelegate, Sendable {
    let received = Mutex<[Int]>([])

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let score = userInfo["score"] as? Int { received.withLock { $0.append(score) } }
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { replyHandler(["total": received.withLock { $0.reduce(0, +) }]) }
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
}

@Suite("WatchLinkTesting in one process", .serialized)
struct SimulatedPairTests {
    private let phoneApp = Scores()
    private let watchApp = Scores()

    @Test("A score that is sent out of range arrives when the phone is back")
    func outOfRange() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)

        pair.setLinkUp(false)
        pair.watch.session.transferUserInfo(["score": 3])
        try await pair.waitUntil("the watch knows that it is alone") { !pair.watch.session.isReachable }
        #expect(phoneApp.received.withLock { $0 } == [])

        pair.setLinkUp(true)
        try await pair.waitUntil("the score has arrived") { phoneApp.received.withLock { $0 } == [3] }
        try await pair.waitUntil("the watch knows that") {
            try pair.watch.ledger().contains { $0.kind == "user info" && $0.state == .delivered }
        }
    }

    @Test("A reply handler's end is an event too")
    func reply() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        let total = Mutex<Int?>(nil)
        pair.watch.session.sendMessage(["ask": true]) { reply in total.withLock { $0 = reply["total"] as? Int } }
        try await pair.waitUntil("the reply is there") { total.withLock { $0 } == 0 }
    }

    @Test("A device that starts again finds what it left")
    func restart() async throws {
        let pair = try SimulatedPair()
        pair.watch.start(delegate: watchApp)
        try await pair.waitUntil { pair.watch.session.activationState == .activated }
        pair.watch.session.transferUserInfo(["score": 4])
        await pair.watch.stop()
        pair.watch.start(delegate: watchApp)
        pair.phone.start(delegate: phoneApp)
        try await pair.waitUntil("the score has arrived") { phoneApp.received.withLock { $0 } == [4] }
    }

    @Test("A phone switches between its watches")
    func watches() async throws {
        let pair = try SimulatedPair(watches: 2)
        try await pair.start(phone: phoneApp, watch: watchApp)
        let secondApp = Scores()
        pair.watches[1].start(delegate: secondApp)
        try await pair.waitUntil { pair.phone.simulator.companions.count == 2 }
        try pair.phone.simulator.switchTo(pair.watches[1].identifier)
        try await pair.waitUntil("the second watch is reachable") { pair.watches[1].session.isReachable }
        pair.phone.session.transferUserInfo(["score": 5])
        try await pair.waitUntil { secondApp.received.withLock { $0 } == [5] }
        #expect(!pair.watch.session.isReachable)
    }

    @Test("A link's condition applies at once, and to what is on its way")
    func conditioned() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        var stalled = LinkCondition()
        stalled.outgoing.isStalled = true
        pair.watch.simulator.condition(stalled)
        #expect(pair.watch.simulator.linkCondition == stalled)
        pair.watch.session.transferUserInfo(["score": 6])
        // What goes the other way is not held up: the phone's own message comes back with nothing in it.
        pair.phone.session.transferUserInfo(["score": 7])
        try await pair.waitUntil("the watch has the phone's") { watchApp.received.withLock { $0 } == [7] }
        #expect(phoneApp.received.withLock { $0 } == [])
        pair.watch.simulator.condition(.perfect)
        try await pair.waitUntil("the score has arrived") { phoneApp.received.withLock { $0 } == [6] }
    }

    @Test("A connection that is cut in the middle of a frame is made again, and nothing is lost")
    func cut() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        var cut = LinkCondition()
        cut.outgoing.cutAfterBytes = 1_500
        pair.watch.simulator.condition(cut)
        for score in 1...20 { pair.watch.session.transferUserInfo(["score": score]) }
        try await pair.waitUntil("some break") { pair.phone.log.contains { $0.contains("in the middle of a frame") } }
        pair.watch.simulator.condition(.perfect)
        try await pair.waitUntil("all have arrived") { phoneApp.received.withLock { $0 } == Array(1...20) }
    }

    @Test("Out of range there is no connection; back in range there is one at once")
    func range() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.phone.simulator.condition(.outOfRange)
        try await pair.waitUntil("both know") { !pair.watch.session.isReachable && !pair.phone.session.isReachable }
        pair.phone.simulator.condition(.perfect)
        try await pair.waitUntil("both are back") { pair.watch.session.isReachable && pair.phone.session.isReachable }
    }

    @Test("There is at least one watch, and each has a name of its own")
    func names() async throws {
        let single = try [-1, 0, 1].map { try SimulatedPair(watches: $0).watches.count }
        #expect(single == [1, 1, 1])
        let pair = try SimulatedPair(watches: 2)
        try await pair.start(phone: phoneApp, watch: watchApp)
        let secondApp = Scores()
        pair.watches[1].start(delegate: secondApp)
        try await pair.waitUntil { pair.phone.simulator.companions.count == 2 }
        let names = pair.phone.simulator.companions.map(\.name).sorted()
        #expect(names == ["watch", "watch2"])
        let first = pair.phone.simulator.companions.first { $0.name == "watch" }?.identifier
        #expect(first == pair.watch.identifier)
    }

    @Test("Of a device's log the latest 200 lines are kept")
    func log() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        for score in 1...300 { pair.watch.session.transferUserInfo(["score": score]) }
        try await pair.waitUntil("all have arrived") { phoneApp.received.withLock { $0.count } == 300 }
        #expect(pair.watch.log.count == 200)
        #expect(pair.phone.log.count == 200)
    }

    @Test("A device that has stopped has a new session, and keeps its identifier")
    func newSession() async throws {
        let pair = try SimulatedPair()
        let (former, identifier) = (pair.watch.session, pair.watch.identifier)
        #expect(pair.watch.session === former)
        pair.watch.start(delegate: watchApp)
        try await pair.waitUntil { pair.watch.session.activationState == .activated }
        await pair.watch.stop()
        #expect(pair.watch.session !== former)
        #expect(pair.watch.session.activationState == .notActivated)
        #expect(pair.watch.identifier == identifier)
        await pair.phone.stop()
    }

    @Test("What does not happen is an error that tells the log")
    func timeout() async throws {
        let pair = try SimulatedPair()
        pair.watch.start(delegate: watchApp)
        let error = await #expect(throws: WaitTimeout.self) {
            try await pair.waitUntil("the phone comes", within: .milliseconds(50)) { pair.watch.session.isReachable }
        }
        let text = error?.description ?? ""
        #expect(text.contains("the phone comes"))
    }
}
