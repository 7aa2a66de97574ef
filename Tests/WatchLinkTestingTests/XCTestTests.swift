import Locking
import WatchLinkTesting
import XCTest

/// The library from XCTest.
final class XCTestTests: XCTestCase {
    private final class Delegate: NSObject, WCSessionDelegate, Sendable {
        let contexts = Mutex<[Int]>([])
        func session(
            _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
        ) {}
        func session(_ session: WCSession, didReceiveApplicationContext context: [String: Any]) {
            contexts.withLock { $0.append(context["n"] as? Int ?? 0) }
        }
    }

    func testContextReachesASleepingWatch() async throws {
        let pair = try SimulatedPair()
        let (phone, watch) = (Delegate(), Delegate())
        try await pair.start(phone: phone, watch: watch)
        pair.watch.simulator.enter(.suspended)
        try pair.phone.session.updateApplicationContext(["n": 7])
        try await pair.waitUntil("the context wakes the watch") { watch.contexts.withLock { $0 } == [7] }
        try await pair.waitUntil("and it sleeps again") { pair.watch.simulator.application == .suspended }
        XCTAssertFalse(pair.phone.session.isReachable)
    }
}
