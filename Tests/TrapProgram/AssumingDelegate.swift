import WatchConnectivity

/// A delegate that takes itself for the main actor's.
final class AssumingDelegate: NSObject, WCSessionDelegate, Sendable {
    @MainActor private var received = 0

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        MainActor.assumeIsolated { received += 1 }
    }
}
