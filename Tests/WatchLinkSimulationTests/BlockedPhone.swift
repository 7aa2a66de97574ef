import Dispatch
import WatchConnectivity

/// A phone whose delegate never returns from its first message.
final class BlockedPhone: NSObject, WCSessionDelegate, Sendable {
    static let shared = BlockedPhone()

    func start() {
        WCSession.default.delegate = self
        WCSession.default.activate()
    }

    func session(
        _ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?
    ) {}

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) {}

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any],
        replyHandler: @escaping ([String: Any]) -> Void
    ) {
        DispatchSemaphore(value: 0).wait()
    }
}
