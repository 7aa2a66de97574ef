import WatchConnectivity

/// The least that a session needs.
final class QuietDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}
}
