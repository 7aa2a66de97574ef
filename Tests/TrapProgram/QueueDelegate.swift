import WatchConnectivity

/// A delegate that demands the main queue.
final class QueueDelegate: NSObject, WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        dispatchPrecondition(condition: .onQueue(.main))
    }
}
