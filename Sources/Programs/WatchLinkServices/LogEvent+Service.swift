package import EventLog
import QuizSync

/// The events of the services.
extension LogEvent {
    package static let starting = LogEvent(
        "starting", .notice, .service,
        "The process has read its configuration and begins.")
    package static let ready = LogEvent("ready", .notice, .service, "It serves.")
    package static let signalReceived = LogEvent(
        "signal received", .notice, .service,
        "A signal asks it to end or to read its configuration again.")
    package static let stopping = LogEvent("stopping", .notice, .service, "It finishes what is in hand.")
    package static let stopped = LogEvent("stopped", .notice, .service, "It has ended in good order.")
    package static let startFailed = LogEvent(
        "start failed", .critical, .service,
        "It cannot serve; the error says what to do.")
    package static let configurationLoaded = LogEvent(
        "configuration loaded", .notice, .service,
        "The configuration was read again; what changed holds now.")
    package static let configurationRefused = LogEvent(
        "configuration refused", .error, .service,
        "The configuration that was to be read again is wrong; the old one stays.")
    package static let socketsActivated = LogEvent(
        "sockets activated", .notice, .service,
        "It serves sockets that its service manager holds.")
    package static let socketUnused = LogEvent(
        "socket unused", .warning, .service,
        "A socket that the service manager holds is none that the configuration names.")
    package static let watchdogArmed = LogEvent(
        "watchdog armed", .notice, .service,
        "The service manager ends it if its event loop stands still that long.")
    package static let logLevelChanged = LogEvent("log level changed", .notice, .service, "A person set a level.")
    package static let metricsNotWritten = LogEvent(
        "metrics not written", .warning, .service,
        "The file with the metrics could not be written.")
    package static let quizRejected = LogEvent("quiz rejected", .warning, .quizzes, "A quiz was not accepted, and why.")
    package static let quizRetried = LogEvent(
        "quiz retried", .info, .quizzes,
        "A person sends a quiz again that had failed; it waits behind the others.")
    package static let quizDropped = LogEvent(
        "quiz dropped", .info, .quizzes,
        "A person dropped a quiz that had failed.")
    package static let quizUpdated = LogEvent("quiz updated", .info, .quizzes, "A person changed a stored quiz.")
    package static let quizDeleted = LogEvent("quiz deleted", .info, .quizzes, "A person removed a stored quiz.")
    package static let quizzesImported = LogEvent(
        "quizzes imported", .info, .quizzes,
        "A person put exported quizzes in.")
    package static let quizzesExpired = LogEvent(
        "quizzes expired", .info, .quizzes,
        "Quizzes beyond the configured age or number were removed.")
    package static let quizzesHeldBack = LogEvent(
        "quizzes held back", .warning, .quizzes,
        "Quizzes are too old by the clock alone; they stay until a person confirms that they go.")

    /// All of these, as the manual page lists them.
    package static let ofServices = [
        starting, ready, signalReceived, stopping, stopped, startFailed, configurationLoaded, configurationRefused,
        socketsActivated, socketUnused, watchdogArmed, logLevelChanged, metricsNotWritten, quizRejected, quizRetried,
        quizDropped, quizUpdated, quizDeleted, quizzesImported, quizzesExpired, quizzesHeldBack,
    ]
}
