import CrashPoints
import Foundation
import Locking
import WatchConnectivity

/// The reply that a sender waits for. Whoever handles the message gives it, once; if nobody does, the sender learns
/// that at once and tries again later.
public final class PendingReply: Sendable {
    private let handler: Mutex<(@Sendable (QuizAcknowledgement) -> Void)?>
    /// Where the message came from.
    private let session: WCSession?

    init(session: WCSession? = nil, _ handler: @escaping @Sendable (QuizAcknowledgement) -> Void) {
        self.session = session
        self.handler = Mutex(handler)
    }

    /// Gives many answers, in one write.
    static func send(_ answers: [(reply: PendingReply, acknowledgement: QuizAcknowledgement)]) {
        func sendAll() {
            for (reply, acknowledgement) in answers {
                reply.send(acknowledgement)
                CrashPoint.quizReplied.pass()
            }
        }
        // Mostly all are of one host's session. What goes to another one is written in its own way.
        guard let session = answers.first?.reply.session else { return sendAll() }
        session.answerTogether(sendAll)
    }

    /// Answers. Only the first answer counts.
    public func send(_ acknowledgement: QuizAcknowledgement) {
        let handler = handler.withLock { handler in
            defer { handler = nil }
            return handler
        }
        handler?(acknowledgement)
    }

    deinit { send(QuizAcknowledgement(nil, .unavailable, message: "nobody handles quizzes here")) }
}
