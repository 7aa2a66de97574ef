package import EventLog

/// The events of any service.
extension LogEvent {
    package static let notifyFailed = LogEvent(
        "notify failed", .warning, .service, "Could not notify the service manager.")

    /// All of these events, in the order of the manual page.
    package static let ofRuntime = [notifyFailed]
}
