public import Foundation
import LinkTransport
public import WatchConnectivity

/// A delegate that turns a session's callbacks into notifications on the main queue. Messages are passed to the
/// receiver instead, if there is one.
///
/// The sender of a payload gets its reply when the handler of the ``PendingReply`` answers it: on a host, when the payload is
/// in the database.
public final class WatchSessionDelegate: NSObject, WCSessionDelegate, DataProvider, NotificationPosting, Sendable {
    private let receiver: (any MessageReceiver)?

    /// Creates a delegate that passes messages to a receiver, or posts them if it is nil.
    public init(receiver: (any MessageReceiver)? = nil) {
        self.receiver = receiver
    }

    /// Posts ``Foundation/NSNotification/Name/activationDidComplete``.
    public func session(
        _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState, error: (any Error)?
    ) {
        // Only the reason: the localized description of an unknown error does not help a user.
        let reason: [String: any Sendable] =
            error.map { error in
                [NotificationKey.error: (error as NSError).localizedFailureReason ?? error.localizedDescription]
            } ?? [:]
        post(.activationDidComplete, object: session, userInfo: reason)
    }

    /// Posts ``Foundation/NSNotification/Name/reachabilityDidChange``.
    public func sessionReachabilityDidChange(_ session: WCSession) { post(.reachabilityDidChange, object: session) }
    /// Posts ``Foundation/NSNotification/Name/sessionDidBecomeInactive``.
    public func sessionDidBecomeInactive(_ session: WCSession) { post(.sessionDidBecomeInactive, object: session) }

    /// Posts ``Foundation/NSNotification/Name/sessionDidDeactivate``, and activates the session for the other watch.
    public func sessionDidDeactivate(_ session: WCSession) {
        post(.sessionDidDeactivate, object: session)
        session.activate()
    }

    /// Passes on a message without a reply.
    public func session(_ session: WCSession, didReceiveMessageData messageData: Data) {
        received(messageData, session, reply: nil)
    }

    /// Passes on a message with its ``PendingReply``.
    public func session(
        _ session: WCSession, didReceiveMessageData messageData: Data, replyHandler: @escaping (Data) -> Void
    ) {
        let handler = ReplyHandler(call: replyHandler)
        received(messageData, session, reply: PendingReply(session: session) { handler.call(Self.archived($0)) })
    }

    private static func archived(_ acknowledgement: RecordAcknowledgement) -> Data {
        do {
            return try acknowledgement.archivedData()
        } catch {
            // Unreachable: an acknowledgement consists of plain values, which always have an archive. The sender of a
            // payload would find no verdict in an empty reply and try again.
            return Data()
        }
    }

    /// Passes on a message without a reply. A payload can be sent as a dictionary or archived.
    public func session(_ session: WCSession, didReceiveMessage message: [String: Any]) {
        received(message, session, reply: nil)
    }

    /// Passes on a message with its ``PendingReply``. A payload can be sent as a dictionary or archived.
    public func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) {
        let handler = ReplyHandler { replyHandler([Payload.dataKey: $0]) }
        received(message, session, reply: PendingReply(session: session) { handler.call(Self.archived($0)) })
    }

    private func received(_ message: [String: Any], _ session: WCSession, reply: PendingReply?) {
        do {
            let content: PayloadContent
            do throws(PayloadError) {
                content = try PayloadContent(message)
            } catch {
                guard let receiver else { throw error }
                return receiver.refused(error, reply: reply)
            }
            received(
                try payload(around: content.archive, after: content.predecessor, name: content.name), session,
                reply: reply)
        } catch {
            reply?.send(RecordAcknowledgement(nil, .undecodable, message: "\(error)"))
        }
    }

    // Proof of `@unchecked Sendable`: the session's reply handlers can be called from any thread, once.
    private struct ReplyHandler: @unchecked Sendable {
        let call: (Data) -> Void
    }

    /// Posts ``Foundation/NSNotification/Name/didReceiveTransfer``.
    public func session(_ session: WCSession, didReceiveApplicationContext applicationContext: [String: Any]) {
        post(.didReceiveTransfer, object: session)
    }

    /// Posts ``Foundation/NSNotification/Name/didReceiveTransfer``.
    public func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {
        post(.didReceiveTransfer, object: session)
    }

    /// Passes on a file to the receiver, and posts ``Foundation/NSNotification/Name/didReceiveTransfer``. A file that is
    /// not a payload's is not kept: the session deletes it when the method returns.
    public func session(_ session: WCSession, didReceive file: WCSessionFile) {
        receiver?.received(file)
        post(.didReceiveTransfer, object: session)
    }

    /// Posts ``Foundation/NSNotification/Name/fileTransferDidEnd`` for a payload's file.
    public func session(_ session: WCSession, didFinish fileTransfer: WCSessionFileTransfer, error: (any Error)?) {
        guard let end = FileTransferEnd(fileTransfer, error) else { return }
        post(.fileTransferDidEnd, object: end)
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
