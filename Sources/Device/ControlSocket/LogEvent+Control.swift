package import EventLog

extension LogSubsystem {
    package static let control = LogSubsystem("control")
}

/// The events of the control socket.
extension LogEvent {
    package static let controlListening = LogEvent(
        "control listening", .notice, .control, "The service accepts commands.")
    package static let controlRequest = LogEvent(
        "control request", .debug, .control, "A command arrived.")
    package static let controlRequestRefused = LogEvent(
        "control request refused", .warning, .control, "A request was refused; the reason is given.")

    /// All control events, in the order of the manual page.
    package static let ofControl = [controlListening, controlRequest, controlRequestRefused]
}
