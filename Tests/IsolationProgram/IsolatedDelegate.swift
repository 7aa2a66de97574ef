import WatchConnectivity

/// A delegate that belongs to the main actor together with its conformance.
@MainActor
final class IsolatedDelegate: NSObject, @MainActor WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}
}
