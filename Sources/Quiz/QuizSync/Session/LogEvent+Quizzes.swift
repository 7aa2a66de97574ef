package import EventLog

extension LogSubsystem {
    package static let quizzes = LogSubsystem("quizzes")
}

/// The events of the delivery of quizzes.
extension LogEvent {
    package static let quizAccepted = LogEvent("quiz accepted", .info, .quizzes, "A quiz is durable in the outbox.")
    package static let quizSent = LogEvent("quiz sent", .info, .quizzes, "A quiz was sent to the host.")
    package static let quizReplied = LogEvent("quiz replied", .info, .quizzes, "The host has stored the quiz.")
    package static let quizRetryScheduled = LogEvent(
        "quiz retry scheduled", .warning, .quizzes,
        "A delivery attempt failed; the quiz will be sent again.")
    package static let quizFailed = LogEvent("quiz failed", .warning, .quizzes, "A quiz was permanently rejected.")
    package static let quizReceived = LogEvent("quiz received", .info, .quizzes, "A readable quiz arrived.")
    package static let quizStored = LogEvent("quiz stored", .info, .quizzes, "A quiz is durable in the database.")
    package static let quizRepeated = LogEvent(
        "quiz repeated", .info, .quizzes,
        "A duplicate of a stored quiz arrived; it was answered as before.")
    package static let quizRefused = LogEvent("quiz refused", .warning, .quizzes, "A quiz cannot be stored.")
    package static let quizPutOff = LogEvent(
        "quiz put off", .info, .quizzes,
        "A quiz arrived before one that was sent earlier; its companion will send both again.")
    package static let quizAheadOfClock = LogEvent(
        "quiz ahead of clock", .warning, .quizzes,
        "A quiz was taken later than this host's current time: one of the two clocks is wrong.")
    package static let acknowledgementUnreadable = LogEvent(
        "acknowledgement unreadable", .warning, .quizzes,
        "The host's answer cannot be read; the quiz will be sent again.")
    package static let acknowledgementMistaken = LogEvent(
        "acknowledgement mistaken", .warning, .quizzes,
        "The host's answer is about another quiz or different content; the quiz will be sent again.")
    package static let backgroundTasksCompleted = LogEvent(
        "background tasks completed", .info, .background,
        "No work is pending; the background tasks are completed.")
    package static let snapshotScheduled = LogEvent(
        "snapshot scheduled", .info, .background,
        "A new snapshot of the app was requested.")

    /// All events of this module, as the manual page lists them.
    package static let ofQuizzes = [
        quizAccepted, quizSent, quizReplied, quizRetryScheduled, quizFailed, quizReceived, quizStored, quizRepeated,
        quizRefused, quizPutOff, quizAheadOfClock, acknowledgementUnreadable, acknowledgementMistaken,
        backgroundTasksCompleted, snapshotScheduled,
    ]
}
