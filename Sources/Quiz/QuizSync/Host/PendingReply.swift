import CrashPoints
import Foundation
import Locking
import WatchConnectivity

/// The reply that a sender waits for. The handler of the message sends it, once; if it is released without a reply, the
/// sender is notified immediately and tries again later.
public final class PendingReply: Sendable {
    private let handler: Mutex<(@Sendable (QuizAcknowledgement) -> Void)?>
    /// The session of the message.
    private let session: WCSession?

    init(session: WCSession? = nil, _ handler: @escaping @Sendable (QuizAcknowledgement) -> Void) {
        self.session = session
        self.handler = Mutex(handler)
    }

    /// Sends several replies in one write.
    static func send(_ answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)]) {
        func sendAll() {
            for (reply, acknowledgement) in answers {
                reply.send(acknowledgement)
                CrashPoint.quizReplied.pass()
            }
        }
        // Nearly always all replies belong to one host's session. Those of other sessions are written separately.
        guard let session = answers.first?.reply.session else { return sendAll() }
        session.answerBatched(sendAll)
    }

    /// Sends the reply. Only the first call has an effect.
    public func send(_ acknowledgement: QuizAcknowledgement) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(acknowledgement)
    }

    deinit { send(QuizAcknowledgement(nil, .unavailable, message: "this app does not handle quizzes")) }
}
