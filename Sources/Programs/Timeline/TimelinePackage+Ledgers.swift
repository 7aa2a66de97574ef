import Foundation
import LinkProtocol

/// What the ledgers of the two sides mean for a package.
///
/// A ledger has one row for a message, however often it was tried: when it first left or arrived, and how it ended. Two such
/// times belong to one arrow only if there was one try; of several tries the ends stay apart, as nobody knows what became of each.
extension TimelinePackage {
    /// Keeps what a side's ledger says, until all is known.
    mutating func note(_ entry: LedgerEntry, of side: TimelineSide) {
        origin = origin ?? (entry.direction == .outgoing ? side : side.other)
        if entry.direction == .outgoing { sender = entry } else { receiver = entry }
        // Of the two sides the sender knows best how it ended.
        if entry.direction == .outgoing || entry.state > status { status = entry.state }
        bytes = bytes ?? Int(entry.bytes)
        cause = cause ?? entry.cause
        queued = queued ?? entry.queuedAt
    }

    /// Adds what the ledgers know where no log did. Where one did, its finer times stay.
    mutating func resolve() {
        guard sender != nil || receiver != nil, let origin else { return }
        let isOneTry = (sender?.attempts ?? 1) <= 1 && (receiver?.attempts ?? 1) <= 1
        fill(.out, from: origin, left: sender?.sentAt, arrived: receiver?.receivedAt, isOneTry)
        fill(.answer, from: origin.other, left: answerLeft, arrived: answerArrived, isOneTry)
    }

    /// A transfer is answered when it is on the receiver's disk, a message when its delegate has answered.
    private var answerLeft: Date? {
        guard let receiver, receiver.state == .replied || receiver.state == .delivered else { return nil }
        let isBackground = TransferKind(rawValue: receiver.kind)?.isBackground ?? false
        return isBackground ? receiver.receivedAt : receiver.endedAt ?? receiver.deliveredAt
    }

    private var answerArrived: Date? {
        guard let sender, sender.state == .replied || sender.state == .delivered else { return nil }
        return sender.endedAt ?? sender.deliveredAt
    }

    private mutating func fill(
        _ meaning: Arrow.Meaning, from side: TimelineSide, left: Date?, arrived: Date?, _ isOneTry: Bool
    ) {
        let known = arrows.indices.filter { arrows[$0].meaning == meaning && arrows[$0].from == side }
        switch known.count {
        case 0 where isOneTry || left == nil || arrived == nil:
            guard left != nil || arrived != nil else { return }
            arrows.append(Arrow(meaning: meaning, from: side, left: left, arrived: arrived))
        case 0:
            arrows.append(Arrow(meaning: meaning, from: side, left: left, arrived: nil))
            arrows.append(Arrow(meaning: meaning, from: side, left: nil, arrived: arrived))
        case 1 where isOneTry:
            arrows[known[0]].left = arrows[known[0]].left ?? left
            arrows[known[0]].arrived = arrows[known[0]].arrived ?? arrived
        default:
            // The logs told of each try. What they say did not arrive did not.
            break
        }
    }
}
