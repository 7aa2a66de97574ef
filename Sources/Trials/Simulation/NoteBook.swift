import DeviceEngine
import Foundation
import LinkProtocol

/// The ledger notes of all devices: the steps of each message and transfer as its ledger shows them.
struct NoteBook {
    /// The notes of one message or transfer.
    private struct Item {
        var sent = 0
        /// True if it was sent and has not been queued again since.
        var isOut = false
        var received = 0
        var isReplied = false
        var isGiven = false
        /// True if the app got it, which is noted soon, unless the process ends.
        var awaitsNote = false
    }

    private var items = NameTable<Item>()

    /// Records a note.
    ///
    /// - Parameter clock: The time it must have; nil if it may be older.
    /// - Returns: The reason why it is wrong; nil if it is right.
    mutating func noted(_ note: LedgerNote, at clock: Date?) -> String? {
        if let clock, note.time != clock {
            return "the time of \(note.identifier)'s note is \(note.time), not \(clock)"
        }
        var item = items[note.identifier] ?? Item()
        defer { items[note.identifier] = item }
        switch (note.direction, note.state) {
        case (.outgoing, .sent):
            guard !item.isOut else { return "\(note.identifier) was sent again, but was not noted as queued again" }
            item.sent += 1
            item.isOut = true
        case (.incoming, .received): item.received += 1
        case (.incoming, .delivered):
            item.awaitsNote = false
            guard item.isGiven else { return "\(note.identifier) is noted as delivered, but the app has not got it" }
        case (.outgoing, .queued), (_, .failed):
            guard note.cause?.isEmpty == false else { return "\(note.identifier) is \(note.state) without a cause" }
            if note.state == .queued { item.isOut = false }
        default: break
        }
        return nil
    }

    /// Records that a message was written. A quiz is sent with the same identifier in every try.
    mutating func sent(_ message: UUID, mayRepeat: Bool) -> String? {
        var item = items[message] ?? Item()
        item.sent += 1
        items[message] = item
        return item.sent == 1 || mayRepeat ? nil : "message \(message) was noted as sent \(item.sent) times"
    }

    /// Records that an answer was written.
    mutating func answered(_ message: UUID, _ status: DeliveryStatus) {
        var item = items[message] ?? Item()
        item.isReplied = item.isReplied || status == .replied
        items[message] = item
    }

    /// Records that the app's delegate gets a message or transfer.
    mutating func given(_ identifier: UUID) {
        var item = items[identifier] ?? Item()
        (item.isGiven, item.awaitsNote) = (true, true)
        items[identifier] = item
    }

    /// Records that a device's process ended: the next one sends its transfers again.
    mutating func restarted() { items.changeAll { ($0.isOut, $0.awaitsNote) = (false, false) } }

    /// Returns the reason why a message cannot have this reply; nil if it can.
    func complaint(aboutReplyTo message: UUID) -> String? {
        guard let item = items[message], item.sent > 0 else {
            return "message \(message) has a reply, but was not sent"
        }
        guard item.received > 0 else { return "message \(message) has a reply, but was not noted as received" }
        return item.isReplied ? nil : "message \(message) has a reply that nobody sent"
    }

    /// Returns the reason why a transfer cannot have arrived; nil if it can.
    func complaint(aboutEndOf transfer: UUID) -> String? {
        items[transfer]?.sent ?? 0 > 0 ? nil : "transfer \(transfer) has arrived, but was never noted as sent"
    }

    /// Returns what is wrong when everything has ended.
    func complaint() -> String? {
        for (identifier, item) in items.all where item.awaitsNote {
            return "the app got \(identifier), which was not noted as delivered"
        }
        return nil
    }
}
