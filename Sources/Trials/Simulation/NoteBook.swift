import DeviceEngine
import Foundation
import LinkProtocol

/// The ledger notes of all devices: the steps of each message and transfer as its ledger shows them.
struct NoteBook {
    /// One message or transfer and its notes.
    private struct Item {
        let kind: TransferKind
        let from: Int
        let to: Int
        /// The size of its file.
        let size: Int
        var sent = 0
        /// True if it was sent and has not been queued again since.
        var isOut = false
        var received = 0
        var isReplied = false
        var isGiven = false
        /// True if the app got it, which is noted soon, unless the process ends.
        var awaitsNote = false

        var isMessage: Bool { !kind.isBackground }
    }

    /// The devices by the numbers of their nodes.
    var devices: [UUID] = []
    private var items = NameTable<Item>()

    mutating func begins(_ identifier: UUID, _ kind: TransferKind, from: Int, to: Int, size: Int64 = 0) {
        items[identifier] = Item(kind: kind, from: from, to: to, size: Int(size))
    }

    /// Records a note.
    ///
    /// - Parameters:
    ///   - node: The node in whose ledger it is.
    ///   - clock: The time it must have; nil if it may be older.
    /// - Returns: The reason why it is wrong; nil if it is right.
    mutating func noted(_ note: LedgerNote, by node: Int, at clock: Date?) -> String? {
        if let clock, note.time != clock {
            return "the time of \(note.identifier)'s note is \(note.time), not \(clock)"
        }
        guard var item = items[note.identifier] else {
            return "\(note.identifier) is \(note.state), but was never sent"
        }
        if let complaint = complaint(about: note, of: item, by: node) { return complaint }
        defer { items[note.identifier] = item }
        switch (note.direction, note.state) {
        case (.outgoing, .sent):
            guard !item.isOut else { return "\(note.identifier) was sent again, but was not noted as queued again" }
            item.sent += 1
            item.isOut = true
        case (.outgoing, .queued): item.isOut = false
        case (.incoming, .received):
            guard item.isMessage || note.related == note.identifier || item.received == 0 else {
                return "\(note.identifier) was received again, but was not noted as a duplicate"
            }
            item.received += 1
        case (.incoming, .delivered):
            item.awaitsNote = false
            guard item.isGiven else { return "\(note.identifier) is noted as delivered, but the app has not got it" }
            guard item.received > 0 else { return "\(note.identifier) is noted as delivered, but not as received" }
        case (.incoming, .replied):
            guard item.isGiven else { return "\(note.identifier) is noted as replied, but the app has not got it" }
        default: break
        }
        return nil
    }

    /// Returns what is wrong with the parts of a note that do not depend on earlier ones.
    private func complaint(about note: LedgerNote, of item: Item, by node: Int) -> String? {
        let isOutgoing = note.direction == .outgoing
        let (own, other) = isOutgoing ? (item.from, item.to) : (item.to, item.from)
        guard node == own else { return "node \(node) notes \(note.identifier) as \(note.direction.rawValue)" }
        // An older complication loses its priority.
        guard note.kind == item.kind || item.kind == .complication && note.kind == .userInfo else {
            return "the \(item.kind.rawValue) \(note.identifier) is noted as \(note.kind.rawValue)"
        }
        if let device = note.device {
            guard device == devices[other] else {
                return "\(note.identifier) is noted for \(device), not \(devices[other])"
            }
        } else if note.state == .sent || note.state == .received || node == 0 && !isOutgoing {
            return "\(note.identifier) is \(note.state), but its counterpart is not noted"
        }
        guard !isOutgoing || note.state == .sent || note.state == .queued || note.state == .failed else {
            return "\(note.identifier) is noted as \(note.state) by its sender"
        }
        if note.state == .received, !item.isMessage, note.bytes != item.size {
            return "\(note.identifier) is noted with \(note.bytes) of \(item.size) bytes"
        }
        return complaint(aboutCauseOf: note, item)
    }

    private func complaint(aboutCauseOf note: LedgerNote, _ item: Item) -> String? {
        switch note.state {
        case .queued, .failed, .coalesced:
            guard note.cause?.isEmpty == false else { return "\(note.identifier) is \(note.state) without a cause" }
        case .sent, .delivered, .replied:
            guard note.cause == nil else {
                return "\(note.identifier) is \(note.state) with the cause \(note.cause ?? "")"
            }
        case .received: break
        }
        guard note.state == .coalesced else {
            return note.related.map { $0 == note.identifier } ?? true
                ? nil : "\(note.identifier) is related to another item"
        }
        guard let newer = note.related.flatMap({ items[$0] }), newer.kind == .context, newer.from == item.from,
            newer.to == item.to, note.related != note.identifier
        else { return "\(note.identifier) was replaced by something else than a context" }
        return nil
    }

    /// Records that a message was written. A quiz is sent with the same identifier in every try.
    mutating func sent(_ message: UUID, mayRepeat: Bool) -> String? {
        guard var item = items[message], item.isMessage else { return "\(message) was written, but is no message" }
        item.sent += 1
        items[message] = item
        return item.sent == 1 || mayRepeat ? nil : "message \(message) was noted as sent \(item.sent) times"
    }

    /// Records that an answer was written.
    mutating func answered(_ message: UUID, _ status: DeliveryStatus) -> String? {
        guard var item = items[message], item.isMessage else { return "\(message) was answered, but is no message" }
        item.isReplied = item.isReplied || status == .replied
        items[message] = item
        return status == .replied || status == .failed ? nil : "message \(message) was answered as \(status.rawValue)"
    }

    /// Records that the app's delegate gets a message or transfer.
    ///
    /// - Parameter isNoted: True unless a planted bug forgets the call.
    mutating func given(_ identifier: UUID, isNoted: Bool = true) {
        guard var item = items[identifier] else { return }
        (item.isGiven, item.awaitsNote) = (true, isNoted)
        items[identifier] = item
    }

    /// Records that a restarted device has a transfer, whose note may have been lost.
    mutating func found(_ transfer: UUID) {
        guard var item = items[transfer], item.received == 0 else { return }
        item.received = 1
        items[transfer] = item
    }

    /// Records that a device's process ended: the next one sends its transfers again.
    mutating func restarted(_ node: Int) {
        items.changeAll {
            if $0.from == node { $0.isOut = false }
            if $0.to == node { $0.awaitsNote = false }
        }
    }

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
