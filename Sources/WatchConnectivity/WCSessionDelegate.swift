public import Foundation

/// What a session tells its application. All methods are called one after the other on a serial queue that is not the main
/// queue.
///
/// Apple's protocol has optional methods; here they have defaults, which count as “not implemented”: the sender of a message
/// that nobody takes gets `WCError.deliveryFailed`.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation ended, well or with an error.
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// Host only: the user switches to another watch.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// Host only: nothing more will come from the former watch; call `activate()` for the new one.
    func sessionDidDeactivate(_ session: WCSession)
    /// `isReachable` has another value.
    func sessionReachabilityDidChange(_ session: WCSession)

    /// A message whose sender wants no reply.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    /// A message whose sender waits for the reply: call the handler, once.
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
    /// Data whose sender wants no reply.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    /// Data whose sender waits for the reply: call the handler, once.
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)
}

extension WCSessionDelegate {
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) {}
    public func sessionReachabilityDidChange(_ session: WCSession) {}

    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        session.delegateMethodIsMissing()
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        session.delegateMethodIsMissing()
    }

    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        session.delegateMethodIsMissing()
    }
}
