public import Foundation

/// The methods by which a session notifies its application. They are called one at a time on a serial queue that is not
/// the main queue.
///
/// Apple's protocol has optional methods. Here they have default implementations that count as “not implemented”: the
/// sender of a message without a receiving method gets `WCError.deliveryFailed`; other missing methods are logged.
public protocol WCSessionDelegate: NSObjectProtocol {
    /// The activation completed, or failed with an error.
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?)

    /// Host only: the user is switching to another watch. Content that the previous one sent is still delivered.
    func sessionDidBecomeInactive(_ session: WCSession)
    /// Host only: no more content will arrive from the previous watch; call `activate()` for the new one.
    func sessionDidDeactivate(_ session: WCSession)
    /// Host only: a watch was paired or unpaired, or its app, complication or directory changed.
    func sessionWatchStateDidChange(_ session: WCSession)
    /// Companion only: `isCompanionAppInstalled` changed.
    func sessionCompanionAppInstalledDidChange(_ session: WCSession)
    /// `isReachable` changed.
    func sessionReachabilityDidChange(_ session: WCSession)

    /// A message arrived whose sender expects no reply.
    func session(_ session: WCSession, didReceiveMessage message: [String: Any])
    /// A message arrived whose sender waits for a reply: call the handler exactly once.
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void)
    /// Data arrived whose sender expects no reply.
    func session(_ session: WCSession, didReceiveMessageData messageData: Data)
    /// Data arrived whose sender waits for a reply: call the handler exactly once.
    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void)

    /// The counterpart's latest context arrived; also called at start-up if one waits.
    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any])
    /// A user info or complication user info arrived; called in the order of sending.
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any])
    /// A user info reached the counterpart's device, or failed; called after a restart if it ended in the meantime.
    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?)
    /// A file arrived: move it before this method returns, because it is removed afterwards.
    func session(_ session: WCSession, didReceive file: WCSessionFile)
    /// A file reached the counterpart's device, or failed; called after a restart if it ended in the meantime.
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?)
}

extension WCSessionDelegate {
    /// Does nothing.
    public func sessionDidBecomeInactive(_ session: WCSession) {}
    /// Counts as not implemented.
    public func sessionDidDeactivate(_ session: WCSession) { session.delegateMethodIsMissing() }
    /// Does nothing.
    public func sessionWatchStateDidChange(_ session: WCSession) {}
    /// Does nothing.
    public func sessionCompanionAppInstalledDidChange(_ session: WCSession) {}
    /// Does nothing.
    public func sessionReachabilityDidChange(_ session: WCSession) {}

    /// Counts as not implemented.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {
        session.delegateMethodIsMissing()
    }

    /// Counts as not implemented.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) { session.delegateMethodIsMissing() }

    /// Counts as not implemented.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        session.delegateMethodIsMissing()
    }
}
