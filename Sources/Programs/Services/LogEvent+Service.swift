package import EventLog
import QuizSync

/// The events of the services.
extension LogEvent {
    package static let starting = LogEvent(
        "starting", .notice, .service,
        "The process has read its configuration and is starting.")
    package static let ready = LogEvent("ready", .notice, .service, "The service is ready for connections.")
    package static let signalReceived = LogEvent(
        "signal received", .notice, .service,
        "A signal to stop or to reload the configuration arrived.")
    package static let stopping = LogEvent(
        "stopping", .notice, .service,
        "The service is finishing its work before it exits.")
    package static let stopped = LogEvent("stopped", .notice, .service, "The service stopped cleanly.")
    package static let startFailed = LogEvent(
        "start failed", .critical, .service,
        "The service cannot start; the error says what to do.")
    package static let configurationLoaded = LogEvent(
        "configuration loaded", .notice, .service,
        "The configuration was reloaded; changed settings are in effect unless named as waiting for the next start.")
    package static let configurationRefused = LogEvent(
        "configuration refused", .error, .service,
        "The new configuration is invalid; the old one stays in effect.")
    package static let socketsActivated = LogEvent(
        "sockets activated", .notice, .service,
        "The service uses sockets inherited from the service manager.")
    package static let socketUnused = LogEvent(
        "socket unused", .warning, .service,
        "A socket inherited from the service manager is not named in the configuration.")
    package static let watchdogArmed = LogEvent(
        "watchdog armed", .notice, .service,
        "The service manager kills the service if its event loops do not turn for this time.")
    package static let logLevelChanged = LogEvent("log level changed", .notice, .service, "A log level was changed.")
    package static let metricsNotWritten = LogEvent(
        "metrics not written", .warning, .service,
        "Could not write the metrics file.")
    /// All of these events, in the order of the manual page.
    package static let ofServices =
        [
            starting, ready, signalReceived, stopping, stopped, startFailed, configurationLoaded, configurationRefused,
            socketsActivated, socketUnused, watchdogArmed, logLevelChanged, metricsNotWritten,
        ] + RecordApplication.quizzes.events.ofOperation
}
