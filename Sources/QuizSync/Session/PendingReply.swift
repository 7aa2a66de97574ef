import Foundation
import Locking

/// The reply that a sender waits for. Whoever handles the notification gives it, once; if nobody does, the sender learns
/// that at once and tries again later.
public final class PendingReply: Sendable {
    private let handler: Mutex<(@Sendable (QuizAcknowledgement) -> Void)?>

    init(_ handler: @escaping @Sendable (QuizAcknowledgement) -> Void) { self.handler = Mutex(handler) }

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
