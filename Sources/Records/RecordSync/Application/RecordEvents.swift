package import EventLog
package import RecordStorage

/// The log events of an application, made from the names of its kind: “workout stored”.
package struct RecordEvents: Sendable {
    // Deliveries.
    package let accepted, sent, replied, retryScheduled, failed: LogEvent
    package let received, stored, repeated, refused, putOff, aheadOfClock: LogEvent
    // Files that belong to payloads.
    package let fileQueued, fileDelivered, fileKept, fileRefused, fileMissing: LogEvent
    private let haveFiles: Bool
    package let acknowledgementUnreadable, acknowledgementMistaken: LogEvent
    // Actions of operators.
    package let rejected, retried, dropped, updated, deleted, imported, expired, heldBack: LogEvent

    package init(_ kind: RecordKind) {
        let (name, plural) = (kind.name, kind.plural)
        let one = kind.withArticle
        let (start, many) = (Self.capitalized(one), Self.capitalized(plural))
        let subsystem = LogSubsystem(plural)
        func event(_ text: String, _ level: LogLevel, _ meaning: String) -> LogEvent {
            LogEvent(text, level, subsystem, meaning)
        }
        accepted = event("\(name) accepted", .info, "\(start) is durable in the outbox.")
        sent = event("\(name) sent", .info, "\(start) was sent to the host.")
        replied = event("\(name) replied", .info, "The host has stored the \(name).")
        retryScheduled = event(
            "\(name) retry scheduled", .warning, "A delivery attempt failed; the \(name) will be sent again.")
        failed = event("\(name) failed", .warning, "\(start) was permanently rejected.")
        received = event("\(name) received", .info, "A readable \(name) arrived.")
        stored = event("\(name) stored", .info, "\(start) is durable in the database.")
        repeated = event(
            "\(name) repeated", .info, "A duplicate of a stored \(name) arrived; it was answered as before.")
        refused = event("\(name) refused", .warning, "\(start) cannot be stored.")
        putOff = event(
            "\(name) put off", .info,
            "\(start) arrived before one that was sent earlier; its companion will send both again.")
        aheadOfClock = event(
            "\(name) ahead of clock", .warning,
            "\(start) was taken later than this host's current time: one of the two clocks is wrong.")
        acknowledgementUnreadable = event(
            "acknowledgement unreadable", .warning,
            "The host's answer cannot be read; the \(name) will be sent again.")
        acknowledgementMistaken = event(
            "acknowledgement mistaken", .warning,
            "The host's answer is about another \(name) or different content; the \(name) will be sent again.")
        haveFiles = kind.keepsFiles
        fileQueued = event(
            "\(name) file queued", .info, "The file of \(one) is on its way to the host; the \(name) follows.")
        fileDelivered = event("\(name) file delivered", .info, "The host has received the file of \(one).")
        fileKept = event(
            "\(name) file kept", .info, "The file of \(one) is durable in the database, and waits for the \(name).")
        fileRefused = event(
            "\(name) file refused", .warning,
            "A file cannot be kept: it is damaged or too large, or the database is not available.")
        fileMissing = event(
            "\(name) file missing", .warning,
            "\(start) arrived whose file is not in the database; its companion will send both again.")
        rejected = event("\(name) rejected", .warning, "\(start) was not accepted; the reason is given.")
        retried = event("\(name) retried", .info, "A failed \(name) was queued again, after all others.")
        dropped = event("\(name) dropped", .info, "A failed \(name) was dropped.")
        updated = event("\(name) updated", .info, "A stored \(name) was changed.")
        deleted = event("\(name) deleted", .info, "A stored \(name) was deleted.")
        imported = event("\(plural) imported", .info, "\(many) were imported.")
        expired = event("\(plural) expired", .info, "\(many) beyond the configured age or number were removed.")
        heldBack = event(
            "\(plural) held back", .warning,
            "\(many) are too old only by this device's clock; they are kept until an operator confirms their removal.")
    }

    /// The events of deliveries, as the manual page lists them.
    package var ofDeliveries: [LogEvent] {
        [
            accepted, sent, replied, retryScheduled, failed, received, stored, repeated, refused, putOff, aheadOfClock,
            acknowledgementUnreadable, acknowledgementMistaken,
        ] + (haveFiles ? [fileQueued, fileDelivered, fileKept, fileRefused, fileMissing] : [])
    }

    /// The events of operators' actions, as the manual page lists them.
    package var ofOperation: [LogEvent] {
        [rejected, retried, dropped, updated, deleted, imported, expired, heldBack]
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
