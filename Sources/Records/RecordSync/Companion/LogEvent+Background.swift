package import EventLog

extension LogEvent {
    package static let backgroundTasksCompleted = LogEvent(
        "background tasks completed", .info, .background,
        "No work is pending; the background tasks are completed.")
    package static let snapshotScheduled = LogEvent(
        "snapshot scheduled", .info, .background,
        "A new snapshot of the app was requested.")

    /// All of these events, as the manual page lists them.
    package static let ofBackgroundTasks = [backgroundTasksCompleted, snapshotScheduled]
}
