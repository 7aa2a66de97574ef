import Foundation
import Locking
import Testing
import WatchLinkTesting

/// An app that notes what it is given.
private final class Notes: NSObject, WCSessionDelegate, Sendable {
    let infos = Mutex<[Int]>([])
    let contexts = Mutex<[Int]>([])
    let activations = Mutex<[Bool]>([])
    let reachabilities = Mutex(0)

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
        activations.withLock { $0.append(error == nil) }
    }
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        if let number = userInfo["number"] as? Int { infos.withLock { $0.append(number) } }
    }
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        if let number = applicationContext["number"] as? Int { contexts.withLock { $0.append(number) } }
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { replyHandler([:]) }
    func sessionReachabilityDidChange(_ session: WCSession) { reachabilities.withLock { $0 += 1 } }
    func sessionDidDeactivate(_ session: WCSession) { session.activate() }
}

@Suite("Faults on demand", .serialized)
struct FaultTests {
    private let phoneApp = Notes()
    private let watchApp = Notes()

    @Test("A reply that never comes is a time-out, one that comes twice is noticed, a late one is too late")
    func replies() async throws {
        let pair = try SimulatedPair { $0.times.reply = .milliseconds(200) }
        try await pair.start(phone: phoneApp, watch: watchApp)
        let ends = Mutex<[String]>([])
        func ask() {
            pair.watch.session.sendMessage([:]) { _ in
                ends.withLock { $0.append("reply") }
            } errorHandler: { error in
                ends.withLock { $0.append("\((error as? WCError)?.errorCode ?? 0)") }
            }
        }
        pair.phone.simulator.inject(try FaultRule(words: ["drop", "reply", "times=1"]))
        ask()
        try await pair.waitUntil("the first has timed out") { ends.withLock { $0 } == ["7012"] }
        pair.phone.simulator.inject(try FaultRule(words: ["duplicate", "reply", "times=1"]))
        ask()
        try await pair.waitUntil("the second reply is noticed") {
            pair.watch.log.contains { $0.contains("reply to nothing") }
        }
        pair.phone.simulator.inject(try FaultRule(words: ["delay", "reply", "by=400ms", "times=1"]))
        ask()
        try await pair.waitUntil("the third reply is too late") {
            pair.watch.log.contains { $0.contains("reply too late") }
        }
        #expect(ends.withLock { $0 } == ["7012", "reply", "7012"])
    }

    @Test("A user info that is lost is sent again, without a new connection")
    func lost() async throws {
        let pair = try SimulatedPair { $0.times.acknowledgement = .milliseconds(200) }
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.watch.simulator.inject(FaultRule(.drop, .userInfo))
        pair.watch.session.transferUserInfo(["number": 1])
        try await pair.waitUntil("it is lost") { pair.watch.log.contains { $0.contains("fault injected") } }
        try pair.watch.simulator.clearFaults()
        try await pair.waitUntil("it has arrived") { phoneApp.infos.withLock { $0 } == [1] }
        #expect(pair.watch.log.filter { $0.contains("peer disconnected") } == [])
    }

    @Test("A stuck queue overtakes nothing and loses nothing; others go by it")
    func stuck() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.watch.simulator.inject(FaultRule(.hold, .userInfo))
        for number in 1...5 { pair.watch.session.transferUserInfo(["number": number]) }
        try pair.watch.session.updateApplicationContext(["number": 6])
        try await pair.waitUntil("the context has gone by") { phoneApp.contexts.withLock { $0 } == [6] }
        #expect(phoneApp.infos.withLock { $0 } == [])
        try pair.watch.simulator.clearFaults()
        try await pair.waitUntil("all at once") { phoneApp.infos.withLock { $0 } == [1, 2, 3, 4, 5] }
    }

    @Test("Reachability may be wrong on one side, and nobody be told")
    func reachability() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        try await pair.waitUntil("the watch was told") { watchApp.reachabilities.withLock { $0 } == 1 }
        pair.watch.simulator.setReachability(ReachabilityFault(.never, isSilent: true))
        #expect(!pair.watch.session.isReachable)
        #expect(pair.phone.session.isReachable)
        pair.watch.simulator.setReachability(ReachabilityFault(.stale))
        #expect(!pair.watch.session.isReachable)
        pair.watch.simulator.setReachability(ReachabilityFault())
        #expect(pair.watch.session.isReachable)
        try await pair.waitUntil("the watch is told of the end alone") { watchApp.reachabilities.withLock { $0 } == 2 }
    }

    @Test("Reachability may flap while the link holds; and a flapping link takes it along")
    func flapping() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        pair.watch.simulator.setReachability(ReachabilityFault(flapPeriod: .milliseconds(20)))
        try await pair.waitUntil("it has flapped twice") { watchApp.reachabilities.withLock { $0 } >= 5 }
        #expect(pair.watch.log.filter { $0.contains("peer disconnected") } == [])
        pair.watch.simulator.setReachability(ReachabilityFault())
        var condition = LinkCondition()
        condition.flapping = LinkCondition.Flapping(up: .milliseconds(100), down: .milliseconds(50))
        pair.watch.simulator.condition(condition)
        try await pair.waitUntil("the link has come back twice") {
            pair.watch.log.filter { $0.contains("link flapped") && $0.contains("back") }.count >= 2
        }
        pair.watch.simulator.condition(.perfect)
        try await pair.waitUntil("it is there") { pair.watch.session.isReachable && pair.phone.session.isReachable }
    }

    @Test("A package may lose the link: it is lost with what waits for it, and the link is back after its time")
    func loss() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        let ends = Mutex<[String]>([])
        pair.watch.simulator.inject(try FaultRule(words: ["lose", "message", "for=50ms", "times=1"]))
        pair.watch.session.sendMessage([:]) { _ in
            ends.withLock { $0.append("reply") }
        } errorHandler: { _ in
            ends.withLock { $0.append("error") }
        }
        try await pair.waitUntil("the message has failed") { ends.withLock { $0 } == ["error"] }
        try await pair.waitUntil("the link is back") {
            pair.watch.log.contains { $0.contains("link flapped") && $0.contains("back") }
        }
        #expect(pair.watch.log.count { $0.contains("link flapped") && $0.contains("gone") } == 1)
        try await pair.waitUntil("it is used") { pair.watch.session.isReachable && pair.phone.session.isReachable }
        pair.watch.session.transferUserInfo(["number": 7])
        try await pair.waitUntil("what is sent then arrives") { phoneApp.infos.withLock { $0 } == [7] }
    }

    @Test("A phone that is slow to accept is reached all the same")
    func slowAccept() async throws {
        let pair = try SimulatedPair { $0.condition.acceptDelay = .milliseconds(100) }
        try await pair.start(phone: phoneApp, watch: watchApp)
        await pair.watch.stop()
        await pair.phone.stop()
    }

    @Test("An activation may fail, and take its time; the next one works")
    func activation() async throws {
        let pair = try SimulatedPair { $0.activationFault = ActivationFault(delay: .milliseconds(20), failures: 1) }
        pair.phone.start(delegate: phoneApp)
        try await pair.waitUntil("it has failed") { phoneApp.activations.withLock { $0 } == [false] }
        #expect(pair.phone.session.activationState == .notActivated)
        pair.phone.session.activate()
        try await pair.waitUntil("it works") { phoneApp.activations.withLock { $0 } == [false, true] }
    }

    @Test(
        "On a full disk nothing is promised, and what came is taken when there is room", arguments: DiskFault.allCases)
    func disk(_ fault: DiskFault) async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        try pair.phone.simulator.setDisk(fault)
        pair.watch.session.transferUserInfo(["number": 1])
        if fault != .none {
            try await pair.waitUntil("the phone could not keep it") {
                pair.watch.log.contains { $0.contains("transfer retry scheduled") }
            }
            #expect(phoneApp.infos.withLock { $0 } == [])
            #expect(pair.phone.session.transferUserInfo(["number": 2]).isTransferring == false)
        }
        try pair.phone.simulator.setDisk(.none)
        try await pair.waitUntil("it is taken") { phoneApp.infos.withLock { $0 } == [1] }
    }
}
