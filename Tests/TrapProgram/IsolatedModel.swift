import WatchConnectivity

/// A model that belongs to the main actor together with its conformance.
@MainActor
final class IsolatedModel: NSObject, @MainActor WCSessionDelegate {
    private var received = 0

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        received = 0
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        received += 1
    }
}
