import Foundation
import LinkProtocol

/// The effects of both sides' ledgers on a package.
///
/// A ledger has one row for a message, with its first departure or arrival and its outcome, whatever the number of
/// attempts.
/// Two such times form one arrow only after a single attempt; after several, the ends stay separate, as they may not
/// match.
extension TimelinePackage {
    /// Keeps a side's ledger entry until ``resolve()``.
    mutating func note(_ entry: LedgerEntry, of side: TimelineSide) {
        origin = origin ?? (entry.direction == .outgoing ? side : side.other)
        if entry.direction == .outgoing { sender = entry } else { receiver = entry }
        // The sender knows the outcome best.
        if entry.direction == .outgoing || entry.state > status { status = entry.state }
        bytes = bytes ?? Int(entry.bytes)
        cause = cause ?? entry.cause
        queued = queued ?? entry.queuedAt
    }

    /// Adds the times of the ledgers where the logs have none; the logs' times are finer.
    mutating func resolve() {
        guard sender != nil || receiver != nil, let origin else { return }
        let isOneTry = (sender?.attempts ?? 1) <= 1 && (receiver?.attempts ?? 1) <= 1
        fill(.out, from: origin, left: sender?.sentAt, arrived: receiver?.receivedAt, isOneTry)
        fill(.answer, from: origin.other, left: answerLeft, arrived: answerArrived, isOneTry)
    }

    /// The time of the answer: for a transfer when the receiver stored it, for a message when the delegate replied.
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
            // The logs have each attempt, and are right about those that did not arrive.
            break
        }
    }
}
