package import EventLog

extension LogSubsystem {
    package static let control = LogSubsystem("control")
}

/// The events of a program that serves.
extension LogEvent {
    package static let notifyFailed = LogEvent(
        "notify failed", .warning, .service,
        "The service manager could not be told how it is.")
    package static let controlListening = LogEvent(
        "control listening", .notice, .control,
        "The command line can reach it.")
    package static let controlRequest = LogEvent(
        "control request", .debug, .control,
        "The command line asked something.")
    package static let controlRequestRefused = LogEvent(
        "control request refused", .warning, .control,
        "A request was refused, and why.")

    /// All of these, as the manual page lists them.
    package static let ofRuntime = [
        notifyFailed, controlListening, controlRequest, controlRequestRefused,
    ]
}
