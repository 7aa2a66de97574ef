public import Foundation

/// What a session tells its application. All methods are called one after the other on a serial queue that is not the main
/// queue.
///
/// Apple's protocol has optional methods; here they have defaults, which count as “not implemented”: the sender of a message
/// that nobody takes gets `WCError.deliveryFailed`, and what else is missed is said in the log.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation ended, well or with an error.
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// Host only: the user switches to another watch. What the former has sent is still delivered.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// Host only: nothing more will come from the former watch; call `activate()` for the new one.
    func sessionDidDeactivate(_ session: WCSession)
    /// Host only: a watch was paired or unpaired, or its app, complication or directory changed.
    func sessionWatchStateDidChange(_ session: WCSession)
    /// Companion only: `isCompanionAppInstalled` has another value.
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)
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

    /// The counterpart's latest context, at start-up if one waits.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    /// A user info or complication user info, in the order of sending.
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    /// A user info arrived at the counterpart's device, or failed; after a restart if it ended meanwhile.
    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    /// A file: move it before this returns, as it is removed then.
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    /// A file arrived at the counterpart's device, or failed; after a restart if it ended meanwhile.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

extension WCSessionDelegate {
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    public func sessionDidDeactivate(_ session: WCSession) { session.delegateMethodIsMissing() }
    public func sessionWatchStateDidChange(_ session: WCSession) {}
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {}
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

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        session.delegateMethodIsMissing()
    }

    public func session(_ session: WCSession, didReceive file: WCSessionFile) { session.delegateMethodIsMissing() }

    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        session.delegateMethodIsMissing()
    }
}
