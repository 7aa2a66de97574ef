import Locking
import Testing
import WatchLinkTesting

@Suite("What the waits of a pair wait for", .serialized)
struct PairWaitTests {
    private let phoneApp = RecordingDelegate()
    private let watchApp = RecordingDelegate()

    @Test("A change that no device can observe is reported by the test")
    func noted() async throws {
        // Its devices do not run, so that nothing else makes a wait look again.
        let pair = try SimulatedPair()
        let looks = Mutex(0)
        let isSet = Mutex(false)
        let wait = Task {
            try await pair.waitUntil("it is set", within: .seconds(86_400)) {
                looks.withLock { $0 += 1 }
                return isSet.withLock { $0 }
            }
        }
        while looks.withLock({ $0 }) == 0 { await Task.yield() }
        isSet.withLock { $0 = true }
        pair.noteChange()
        try await wait.value
    }

    @Test("The end of a device is a change, even if it was never activated")
    func ended() async throws {
        let pair = try SimulatedPair()
        let former = pair.watch.session
        let identity = ObjectIdentifier(former)
        let looks = Mutex(0)
        let wait = Task {
            try await pair.waitUntil("it has another session", within: .seconds(86_400)) {
                looks.withLock { $0 += 1 }
                return ObjectIdentifier(pair.watch.session) != identity
            }
        }
        while looks.withLock({ $0 }) == 0 { await Task.yield() }
        await pair.watch.stop()
        try await wait.value
        // Until here, so that no other session has its address.
        #expect(pair.watch.session !== former)
    }

    @Test("A pair has started when the watch, too, reaches its counterpart")
    func started() async throws {
        let pair = try SimulatedPair {
            if $0.device.role == .companion { $0.reachabilityFault = ReachabilityFault(.never) }
        }
        let (phone, watch) = (self.phoneApp, self.watchApp)
        let start = Task {
            try await pair.start(phone: phone, watch: watch)
            return pair.watch.session.isReachable
        }
        try await pair.waitUntil("the phone reaches the watch") { pair.phone.session.isReachable }
        for _ in 1...100 { await Task.yield() }
        #expect(!pair.watch.session.isReachable)
        pair.watch.simulator.setReachability(ReachabilityFault())
        let isReachable = try await start.value
        #expect(isReachable)
    }

    @Test("A device that has stopped has left the link, even if its session is still held")
    func stopped() async throws {
        let pair = try SimulatedPair()
        try await pair.start(phone: phoneApp, watch: watchApp)
        let former = pair.watch.session
        await pair.watch.stop()
        try await pair.waitUntil("the phone knows") { !pair.phone.session.isReachable }
        #expect(pair.watch.session !== former)
    }
}
