import WatchConnectivity

/// A model that belongs to the main actor, and says of its conformance that it is older than actors.
@MainActor
final class PreconcurrencyModel: NSObject, @preconcurrency WCSessionDelegate {
    private var received = 0

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        received = 0
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        received += 1
    }
}
