package import Foundation

/// What waits for one counterpart: user infos, contexts and files, each kind in an order of its own, as Apple promises none
/// between kinds.
package struct TransferQueues: Sendable {
    package typealias Entry = OutboxStateMachine.Entry

    private var queues: [OutboxStateMachine]

    /// - Parameter patience: How long a transfer may be under way without a word of it.
    package init(backoff: Backoff, patience: Duration) {
        queues = [LinkLimits.userInfosUnderWay, 1, 1].map {
            OutboxStateMachine(backoff: backoff, window: $0, patience: patience)
        }
    }

    /// - Parameter kind: Of a transfer, not of a message.
    static func index(_ kind: TransferKind) -> Int {
        switch kind {
        case .userInfo, .complication, .message, .data: 0
        case .context: 1
        case .file: 2
        }
    }

    package mutating func inserted(_ entry: Entry, _ kind: TransferKind) { queues[Self.index(kind)].inserted(entry) }

    package mutating func cancelled(
        _ identifier: UUID, _ kind: TransferKind, at time: MonotonicTime, jitter: Double
    ) -> Bool {
        queues[Self.index(kind)].cancelled(identifier, at: time, jitter: jitter)
    }

    package func isUnderWay(_ identifier: UUID, _ kind: TransferKind) -> Bool {
        queues[Self.index(kind)].isUnderWay(identifier)
    }

    /// The user info is no longer the complication's current one.
    package mutating func calmed(_ identifier: UUID) { queues[Self.index(.complication)].calmed(identifier) }

    /// Whether the counterpart takes transfers now. What was under way when it ceased to waits again, and is returned.
    package mutating func availabilityChanged(_ isAvailable: Bool) -> [Entry] {
        var lost: [Entry] = []
        for index in queues.indices {
            if !isAvailable { lost += queues[index].interrupted() }
            queues[index].reachabilityChanged(isAvailable)
        }
        return lost
    }

    /// What to send now, in this order.
    package mutating func transmit(at time: MonotonicTime) -> [Entry] {
        var entries: [Entry] = []
        for index in queues.indices { entries += queues[index].transmit(at: time) }
        return entries
    }

    package mutating func settled(
        _ identifier: UUID, _ kind: TransferKind, _ outcome: OutboxStateMachine.Outcome, at time: MonotonicTime,
        jitter: Double
    ) -> OutboxStateMachine.SettledAction {
        queues[Self.index(kind)].settled(identifier, outcome, at: time, jitter: jitter)
    }

    /// The receiver has more of a file.
    package mutating func progressed(_ identifier: UUID, _ kind: TransferKind, at time: MonotonicTime) {
        queues[Self.index(kind)].progressed(identifier, at: time)
    }

    /// The link carries what is under way, however long that takes.
    package mutating func delivering(at time: MonotonicTime) {
        for index in queues.indices { queues[index].delivering(at: time) }
    }

    /// What has been under way for too long.
    package func overdue(at time: MonotonicTime) -> [UUID] { queues.flatMap { $0.overdue(at: time) } }

    package var nextDeadline: MonotonicTime? {
        var next: MonotonicTime?
        for queue in queues { next.bringForward(to: queue.nextDeadline) }
        return next
    }

    package var pendingCount: Int { queues.reduce(0) { $0 + $1.pendingCount } }
}
