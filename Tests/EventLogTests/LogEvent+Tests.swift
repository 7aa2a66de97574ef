import EventLog

extension LogSubsystem {
    static let link = LogSubsystem("link")
    static let session = LogSubsystem("session")
    static let quizzes = LogSubsystem("quizzes")
}

/// Events of programs that log.
extension LogEvent {
    static let ready = LogEvent("ready", .notice, .service, "It serves.")
    static let stopping = LogEvent("stopping", .notice, .service, "It finishes what is in hand.")
    static let packageIn = LogEvent("package in", .debug, .link, "A package came in.")
    static let messageSent = LogEvent("message sent", .debug, .session, "A message went out.")
    static let quizStored = LogEvent("quiz stored", .info, .quizzes, "A quiz is in the database.")
}
