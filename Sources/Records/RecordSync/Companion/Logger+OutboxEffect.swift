import EventLog
import Storage

extension Logger {
    /// Logs an effect, if it has an event.
    func log(_ effect: OutboxEffect, _ events: RecordEvents) {
        switch effect {
        case .opened(let pending): log(.databaseOpened, [.count(pending)])
        case .replied(let payload, let attempt):
            log(events.replied, [.package(payload), .status("Replied"), .attempt(attempt)])
        case .gaveUp(let payload, let attempt, let reason):
            log(events.failed, [.package(payload), .status("Failed"), .attempt(attempt), .reason(reason)])
        case .retries(let payload, let attempt, let reason):
            log(events.retryScheduled, [.package(payload), .status("Failed"), .attempt(attempt), .reason(reason)])
        case .replyWasMistaken(let payload, let other):
            log(events.acknowledgementMistaken, [.package(payload)] + (other.map { [.related($0)] } ?? []))
        case .replyWasUnreadable(let payload, let error):
            log(events.acknowledgementUnreadable, [.package(payload), .error(error)])
        case .open, .transmit, .record, .prune, .tell, .tellPending: break
        }
    }
}
