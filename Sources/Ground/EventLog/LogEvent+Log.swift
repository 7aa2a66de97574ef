extension LogSubsystem {
    package static let service = LogSubsystem("service")
    /// Files that are sent and received, and the log's own files: their failures are the same event.
    package static let transfers = LogSubsystem("transfers")
    package static let background = LogSubsystem("background")
}

/// The events of the log itself.
extension LogEvent {
    package static let logReopened = LogEvent("log reopened", .notice, .service, "The log file was reopened.")
    package static let logLinesDropped = LogEvent(
        "log lines dropped", .warning, .service,
        "Log lines were dropped because they arrived faster than they could be written.")
    package static let fileSystemFailed = LogEvent(
        "file system failed", .error, .transfers,
        "A file could not be read, written or moved.")

    /// All events of this module, as the manual page lists them.
    package static let ofLog = [
        logReopened, logLinesDropped, fileSystemFailed,
    ]
}
