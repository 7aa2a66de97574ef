package import EventLog
package import RecordStorage

/// The log events of an application, made from the names of its kind: “workout stored”.
package struct RecordEvents: Sendable {
    // Deliveries.
    package let accepted, sent, replied, retryScheduled, failed: LogEvent
    package let received, stored, repeated, refused, putOff, aheadOfClock: LogEvent
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
        ]
    }

    /// The events of operators' actions, as the manual page lists them.
    package var ofOperation: [LogEvent] {
        [rejected, retried, dropped, updated, deleted, imported, expired, heldBack]
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
