import CassetteReplay
import Cassettes
import Foundation
import WatchConnectivity

extension Counterpart: WCSessionDelegate {
    func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        if let error { Self.note("the activation failed: \(error)") }
        tellCondition()
    }

    func sessionReachabilityDidChange(_ session: WCSession) { tellCondition() }

    func sessionDidBecomeInactive(_ session: WCSession) { tellCondition() }

    func sessionDidDeactivate(_ session: WCSession) { session.activate() }

    func session(_ session: WCSession, didReceiveMessage message: [String: Any]) { take(.message, message) }

    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { take(.message, message, replyHandler) }

    func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        take(.data, .bytes(messageData), nil)
    }

    func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) { take(.data, .bytes(messageData), .data(replyHandler)) }

    func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        take(.context, applicationContext)
    }

    func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { take(.userInfo, userInfo) }

    func session(_ session: WCSession, didReceive file: WCSessionFile) { take(.file, file.metadata ?? [:]) }
}
