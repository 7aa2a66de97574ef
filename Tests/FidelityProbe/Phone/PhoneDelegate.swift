import Foundation
import WatchConnectivity

/// The phone's delegate. It has a method for data messages without a reply, which the watch's has not.
final class PhoneDelegate: NSObject, WCSessionDelegate {
    private let receiver: Receiver

    init(_ receiver: Receiver) { self.receiver = receiver }

    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        receiver.note("activation") { $0.note = "\(Wording.text(activationState)), \(Wording.end(error))" }
    }

    func sessionDidBecomeInactive(_ session: WCSession) {}

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func sessionWatchStateDidChange(_ session: WCSession) {
        receiver.note("watchState", ["step": "\(session.isComplicationEnabled)"])
    }

    func sessionReachabilityDidChange(_ session: WCSession) {
        receiver.note("reachability", ["step": "\(session.isReachable)"])
    }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        receiver.note("didReceiveMessage", message)
    }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { receiver.answer(message, replyHandler) }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        receiver.note("didReceiveMessageData") { $0.note = "\(messageData.count) bytes" }
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        receiver.note("didReceiveMessageDataWithReply")
        replyHandler(messageData)
    }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        receiver.noteContext(applicationContext, session.receivedApplicationContext)
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        receiver.note("didReceiveUserInfo", userInfo)
    }

    func session(_ session: WCSession, didFinish userInfoTransfer: WCSessionUserInfoTransfer, error: (any Error)?) {
        receiver.finish(userInfoTransfer, userInfoTransfer.userInfo, error)
    }

    func session(_ session: WCSession, didReceive file: WCSessionFile) { receiver.take(file) }

    func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        receiver.finish(fileTransfer, fileTransfer.file.metadata ?? [:], error)
    }
}
