import WatchConnectivity

/// A model of the module's actor, with methods for the session that belong to nobody.
final class FreeModel: NSObject, WCSessionDelegate {
    private var received = 0

    nonisolated func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        Task { @MainActor in received = 0 }
    }

    nonisolated func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        Task { @MainActor in received += 1 }
    }
}
