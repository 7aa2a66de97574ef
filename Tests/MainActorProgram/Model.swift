import WatchConnectivity

/// A model of the module's actor.
final class Model: NSObject {
    private var received = 0
}

extension Model: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        received = 0
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        received += 1
    }
}
