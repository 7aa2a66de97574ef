package import EventLog

/// The events of a program that serves.
extension LogEvent {
    package static let notifyFailed = LogEvent(
        "notify failed", .warning, .service, "The service manager could not be told how it is.")

    /// All of these, as the manual page lists them.
    package static let ofRuntime = [notifyFailed]
}
