import WatchConnectivity

/// Sends everything that the program's words name, as soon as the counterpart is reachable.
final class SendingDelegate: NSObject, WCSessionDelegate, Sendable {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        if session.isReachable { Task { @MainActor in await Sender.shared.send() } }
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        if session.isReachable { Task { @MainActor in await Sender.shared.send() } }
    }
}
