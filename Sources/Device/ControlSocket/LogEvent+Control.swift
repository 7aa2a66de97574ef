package import EventLog

extension LogSubsystem {
    package static let control = LogSubsystem("control")
}

/// The events of the control socket.
extension LogEvent {
    package static let controlListening = LogEvent(
        "control listening", .notice, .control, "The command line can reach it.")
    package static let controlRequest = LogEvent(
        "control request", .debug, .control, "The command line asked something.")
    package static let controlRequestRefused = LogEvent(
        "control request refused", .warning, .control, "A request was refused, and why.")

    /// All of these, as the manual page lists them.
    package static let ofControl = [controlListening, controlRequest, controlRequestRefused]
}
