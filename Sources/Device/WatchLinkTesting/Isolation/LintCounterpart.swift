import Foundation
import WatchConnectivity

/// The delegate of the device that is linked to a program under lint: it answers every message with a copy.
final class LintCounterpart: NSObject, WCSessionDelegate, Sendable {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {}

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {}

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        replyHandler(message)
    }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {}

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        replyHandler(messageData)
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {}
    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any]) {}
    func session(
        _ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?
    ) {}
    func session(_ session: WCSession, didReceive file: WCSessionFile) {}
    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {}
}
