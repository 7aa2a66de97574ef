package import EventLog
import RecordSync

extension LogSubsystem {
    package static let quizzes = LogSubsystem("quizzes")
}

/// The events of quizzes.
extension LogEvent {
    private static var events: RecordEvents { RecordApplication.quizzes.events }

    package static let quizAccepted = events.accepted
    package static let quizSent = events.sent
    package static let quizReplied = events.replied
    package static let quizRetryScheduled = events.retryScheduled
    package static let quizFailed = events.failed
    package static let quizReceived = events.received
    package static let quizStored = events.stored
    package static let quizRepeated = events.repeated
    package static let quizRefused = events.refused
    package static let quizPutOff = events.putOff
    package static let quizAheadOfClock = events.aheadOfClock
    package static let quizRejected = events.rejected

    /// The events of deliveries, as the manual page lists them.
    package static let ofQuizzes = events.ofDeliveries + ofBackgroundTasks
}
