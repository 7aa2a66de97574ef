import Foundation
import Locking
import WatchConnectivity

/// The reply that a sender waits for. The handler of the message sends it, once; if it is released without a reply, the
/// sender is notified immediately and tries again later.
public final class PendingReply: Sendable {
    private let handler: Mutex<(@Sendable (RecordAcknowledgement) -> Void)?>
    /// The session of the message.
    private let session: WCSession?

    init(session: WCSession? = nil, _ handler: @escaping @Sendable (RecordAcknowledgement) -> Void) {
        self.session = session
        self.handler = Mutex(handler)
    }

    /// Sends several replies in one write.
    ///
    /// - Parameter sent: Called after each reply.
    static func send(
        _ answers: [(reply: PendingReply, acknowledgement: RecordAcknowledgement)], _ sent: () -> Void
    ) {
        func sendAll() {
            for (reply, acknowledgement) in answers {
                reply.send(acknowledgement)
                sent()
            }
        }
        // Nearly always all replies belong to one host's session. Those of other sessions are written separately.
        guard let session = answers.first?.reply.session else { return sendAll() }
        session.answerBatched(sendAll)
    }

    /// Sends the reply. Only the first call has an effect.
    public func send(_ acknowledgement: RecordAcknowledgement) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(acknowledgement)
    }

    deinit { send(RecordAcknowledgement(nil, .unavailable, message: "this app does not handle messages")) }
}
