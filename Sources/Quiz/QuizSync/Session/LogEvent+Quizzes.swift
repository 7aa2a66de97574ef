package import EventLog

extension LogSubsystem {
    package static let quizzes = LogSubsystem("quizzes")
}

/// The events of quizzes on their way.
extension LogEvent {
    package static let quizAccepted = LogEvent("quiz accepted", .info, .quizzes, "A quiz is on the companion's disk.")
    package static let quizSent = LogEvent("quiz sent", .info, .quizzes, "A quiz went to the host.")
    package static let quizReplied = LogEvent("quiz replied", .info, .quizzes, "The host has the quiz in its database.")
    package static let quizRetryScheduled = LogEvent(
        "quiz retry scheduled", .warning, .quizzes,
        "A quiz did not get through; it is sent again.")
    package static let quizFailed = LogEvent("quiz failed", .warning, .quizzes, "A quiz is refused for good.")
    package static let quizReceived = LogEvent("quiz received", .info, .quizzes, "A quiz came in and is readable.")
    package static let quizStored = LogEvent("quiz stored", .info, .quizzes, "A quiz is in the database, durably.")
    package static let quizRepeated = LogEvent(
        "quiz repeated", .info, .quizzes,
        "A quiz came again and is answered as before.")
    package static let quizRefused = LogEvent("quiz refused", .warning, .quizzes, "A quiz cannot be stored, and why.")
    package static let quizPutOff = LogEvent(
        "quiz put off", .info, .quizzes,
        "A quiz came before one that was sent ahead of it; its companion sends both again.")
    package static let quizAheadOfClock = LogEvent(
        "quiz ahead of clock", .warning, .quizzes,
        "A quiz was taken later than this host's clock says it is: one of the two clocks is wrong.")
    package static let acknowledgementUnreadable = LogEvent(
        "acknowledgement unreadable", .warning, .quizzes,
        "The host's answer cannot be read; the quiz is sent again.")
    package static let acknowledgementMistaken = LogEvent(
        "acknowledgement mistaken", .warning, .quizzes,
        "The host's answer is about another quiz or another content; the quiz is sent again.")
    package static let backgroundTasksCompleted = LogEvent(
        "background tasks completed", .info, .background,
        "Everything pending is done; the background tasks are completed.")
    package static let snapshotScheduled = LogEvent(
        "snapshot scheduled", .info, .background,
        "A new snapshot of the app was asked for.")

    /// All of these, as the manual page lists them.
    package static let ofQuizzes = [
        quizAccepted, quizSent, quizReplied, quizRetryScheduled, quizFailed, quizReceived, quizStored, quizRepeated,
        quizRefused, quizPutOff, quizAheadOfClock, acknowledgementUnreadable, acknowledgementMistaken,
        backgroundTasksCompleted, snapshotScheduled,
    ]
}
