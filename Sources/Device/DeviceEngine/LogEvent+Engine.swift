package import EventLog

extension LogSubsystem {
    package static let session = LogSubsystem("session")
}

/// The events that the engine logs.
extension LogEvent {
    package static let messageFailed = LogEvent(
        "message failed", .warning, .session,
        "A message did not get through, and why.")
    package static let replyTooLate = LogEvent(
        "reply too late", .warning, .session,
        "A reply came when nobody waited for it any more.")
    package static let replyToNothing = LogEvent(
        "reply to nothing", .warning, .session,
        "A reply came to a message that was never sent.")
    package static let transferSent = LogEvent("transfer sent", .info, .transfers, "A transfer went out.")
    package static let transferInterrupted = LogEvent(
        "transfer interrupted", .info, .transfers,
        "The connection went during a transfer; it will go on.")
    package static let transferRetryScheduled = LogEvent(
        "transfer retry scheduled", .warning, .transfers,
        "The counterpart could not keep a transfer; it is sent again later.")
    package static let transferFinished = LogEvent(
        "transfer finished", .info, .transfers,
        "The counterpart has it on its disk.")
    package static let transferFailed = LogEvent(
        "transfer failed", .warning, .transfers,
        "A transfer is given up, and why.")
    package static let transferReceived = LogEvent(
        "transfer received", .info, .transfers,
        "A transfer came in and is on the disk.")
    package static let transferRepeated = LogEvent(
        "transfer repeated", .info, .transfers,
        "A transfer came again; it was told apart and answered.")
    package static let transferPutOff = LogEvent(
        "transfer put off", .warning, .transfers,
        "A transfer came in and cannot be kept now; its sender sends it again later.")
    package static let transferDelivered = LogEvent(
        "transfer delivered", .info, .transfers,
        "The delegate was given a transfer.")
    package static let contextCoalesced = LogEvent(
        "context coalesced", .info, .transfers,
        "A newer application context took an older one's place.")
    package static let fileResumed = LogEvent(
        "file resumed", .info, .transfers,
        "A file goes on where it was interrupted.")
    package static let fileDamaged = LogEvent(
        "file damaged", .warning, .transfers,
        "A received file is not what was sent; it is sent again.")

    /// All of these, as the manual page lists them.
    package static let ofEngine = [
        messageFailed, replyTooLate, replyToNothing, transferSent, transferInterrupted,
        transferRetryScheduled, transferFinished, transferFailed, transferReceived, transferRepeated,
        transferPutOff, transferDelivered, contextCoalesced, fileResumed, fileDamaged,
    ]
}
