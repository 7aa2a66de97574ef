import EventLog
import Storage

extension Logger {
    /// Logs an effect, if it has an event.
    func log(_ effect: OutboxEffect) {
        switch effect {
        case .opened(let pending): log(.databaseOpened, [.count(pending)])
        case .replied(let quiz, let attempt):
            log(.quizReplied, [.package(quiz), .status("Replied"), .attempt(attempt)])
        case .gaveUp(let quiz, let attempt, let reason):
            log(.quizFailed, [.package(quiz), .status("Failed"), .attempt(attempt), .reason(reason)])
        case .retries(let quiz, let attempt, let reason):
            log(.quizRetryScheduled, [.package(quiz), .status("Failed"), .attempt(attempt), .reason(reason)])
        case .replyWasMistaken(let quiz, let other):
            log(.acknowledgementMistaken, [.package(quiz)] + (other.map { [.related($0)] } ?? []))
        case .replyWasUnreadable(let quiz, let error):
            log(.acknowledgementUnreadable, [.package(quiz), .error(error)])
        case .open, .transmit, .record, .prune, .tell, .tellPending: break
        }
    }
}
