public import Foundation
import LinkTransport
public import WatchConnectivity

/// Turns what a session reports into notifications on the main queue. Messages go to the receiver instead, if there is one.
///
/// A quiz's sender gets its reply when whoever was given the ``PendingReply`` has answered it: on a host, when the quiz is in
/// the database.
public final class WatchSessionDelegate: NSObject, WCSessionDelegate, DataProvider, NotificationPosting, Sendable {
    private let receiver: (any MessageReceiver)?

    public init(receiver: (any MessageReceiver)? = nil) {
        self.receiver = receiver
    }

    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        // The reason alone: that the session knows no name for the trouble tells a person nothing.
        let reason: [String: any Sendable] =
            error.map { error in
                [NotificationKey.error: (error as NSError).localizedFailureReason ?? error.localizedDescription]
            } ?? [:]
        post(.activationDidComplete, object: session, userInfo: reason)
    }

    public func sessionReachabilityDidChange(_ session: WCSession) { post(.reachabilityDidChange, object: session) }
    public func sessionDidBecomeInactive(_ session: WCSession) { post(.sessionDidBecomeInactive, object: session) }

    /// Goes on with the phone's other watch.
    public func sessionDidDeactivate(_ session: WCSession) {
        post(.sessionDidDeactivate, object: session)
        session.activate()
    }

    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        received(messageData, session, reply: nil)
    }

    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        let handler = ReplyHandler(call: replyHandler)
        received(messageData, session, reply: PendingReply(session: session) { handler.call(Self.archived($0)) })
    }

    private static func archived(_ acknowledgement: QuizAcknowledgement) -> Data {
        do {
            return try acknowledgement.archivedData()
        } catch {
            // An acknowledgement is three plain values, which always have an archive. Should that ever change, the sender
            // finds no verdict in an empty reply and tries again.
            return Data()
        }
    }

    /// A payload that was sent as a dictionary is the same as one that was sent archived.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        received(message, session, reply: nil)
    }

    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        let handler = ReplyHandler { replyHandler([Payload.dataKey: $0]) }
        received(message, session, reply: PendingReply(session: session) { handler.call(Self.archived($0)) })
    }

    private func received(_ message: [String: Any], _ session: WCSession, reply: PendingReply?) {
        do {
            let content = try QuizContent(message)
            received(try payload(around: content.archive, after: content.predecessor), session, reply: reply)
        } catch {
            reply?.send(QuizAcknowledgement(nil, .undecodable, message: "\(error)"))
        }
    }

    // Proof of `@unchecked Sendable`: the session's reply handlers may be called from any thread, once.
    private struct ReplyHandler: @unchecked Sendable {
        let call: (Data) -> Void
    }

    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        post(.didReceiveTransfer, object: session)
    }

    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        post(.didReceiveTransfer, object: session)
    }

    /// Nobody here has a use for files: this one is gone when the method returns.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        post(.didReceiveTransfer, object: session)
    }

    private func received(_ data: Data, _ session: WCSession, reply: PendingReply?) {
        let package = MessagePackage(
            identifier: .random(), command: .sendMessageData, status: .received, dataPackage: data,
            wantsReply: reply != nil,
            timestamp: Date(), origin: session.counterpart?.identifier)
        guard let receiver else {
            return post(.didReceiveData, object: package, userInfo: reply.map { [NotificationKey.reply: $0] } ?? [:])
        }
        receiver.received(package, reply: reply)
    }
}

extension WatchSessionDelegate: RoundDelegate {
    package func sessionsDidEndRound() { receiver?.roundEnded() }
}
