import WatchConnectivity

/// A model that belongs to the main actor, with methods for the session that do not.
@MainActor
final class HoppingModel: NSObject, WCSessionDelegate {
    private var received = 0

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Task { @MainActor in received = 0 }
    }

    nonisolated func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        Task { @MainActor in received += 1 }
    }

    nonisolated func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        DispatchQueue.main.async { MainActor.assumeIsolated { self.received += 1 } }
    }
}
