package import EventLog

extension LogSubsystem {
    package static let session = LogSubsystem("session")
}

/// The events that the engine logs.
extension LogEvent {
    package static let messageFailed = LogEvent(
        "message failed", .warning, .session,
        "A message could not be delivered; the reason is given.")
    package static let replyTooLate = LogEvent(
        "reply too late", .warning, .session,
        "A reply arrived after its message had ended.")
    package static let replyToNothing = LogEvent(
        "reply to nothing", .warning, .session,
        "A reply arrived for a message that was never sent.")
    package static let transferSent = LogEvent("transfer sent", .info, .transfers, "A transfer was sent.")
    package static let transferInterrupted = LogEvent(
        "transfer interrupted", .info, .transfers,
        "The connection was lost during a transfer; it will resume.")
    package static let transferRetryScheduled = LogEvent(
        "transfer retry scheduled", .warning, .transfers,
        "The counterpart could not store a transfer; it will be sent again.")
    package static let transferFinished = LogEvent(
        "transfer finished", .info, .transfers,
        "The counterpart has stored a transfer.")
    package static let transferFailed = LogEvent(
        "transfer failed", .warning, .transfers,
        "A transfer failed permanently; the reason is given.")
    package static let transferReceived = LogEvent(
        "transfer received", .info, .transfers,
        "A transfer arrived and was stored.")
    package static let transferRepeated = LogEvent(
        "transfer repeated", .info, .transfers,
        "A duplicate transfer arrived; it was acknowledged and dropped.")
    package static let transferPutOff = LogEvent(
        "transfer put off", .warning, .transfers,
        "A transfer arrived but could not be stored; its sender will retry.")
    package static let transferDelivered = LogEvent(
        "transfer delivered", .info, .transfers,
        "A transfer was delivered to the delegate.")
    package static let contextCoalesced = LogEvent(
        "context coalesced", .info, .transfers,
        "A newer application context replaced an older one.")
    package static let fileResumed = LogEvent(
        "file resumed", .info, .transfers,
        "An interrupted file transfer resumed.")
    package static let fileDamaged = LogEvent(
        "file damaged", .warning, .transfers,
        "A received file was damaged; it will be sent again.")

    /// All engine events, in the order of the manual page.
    package static let ofEngine = [
        messageFailed, replyTooLate, replyToNothing, transferSent, transferInterrupted,
        transferRetryScheduled, transferFinished, transferFailed, transferReceived, transferRepeated,
        transferPutOff, transferDelivered, contextCoalesced, fileResumed, fileDamaged,
    ]
}
