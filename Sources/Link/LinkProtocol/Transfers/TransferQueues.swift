package import Foundation

/// The queues for one counterpart: user infos, contexts and files, each kind in its own order, as Apple guarantees none
/// between kinds.
package struct TransferQueues: Sendable {
    package typealias Entry = OutboxStateMachine.Entry

    private var queues: [OutboxStateMachine]

    /// Creates empty queues.
    ///
    /// - Parameter patience: The time-out of a transfer without progress.
    package init(backoff: Backoff, patience: Duration) {
        queues = [LinkLimits.userInfosUnderWay, 1, 1].map {
            OutboxStateMachine(backoff: backoff, window: $0, patience: patience)
        }
    }

    /// Returns the index of the queue for a kind.
    ///
    /// - Parameter kind: The kind of a transfer, not of a message.
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

    /// Returns true if the receiver may have a transfer, or a part of it.
    package func wasSent(_ identifier: UUID, _ kind: TransferKind) -> Bool {
        queues[Self.index(kind)].wasSent(identifier)
    }

    /// Makes a user info an ordinary one, as it is no longer the current one of the complication.
    package mutating func demoted(_ identifier: UUID) { queues[Self.index(.complication)].demoted(identifier) }

    /// Records whether the counterpart accepts transfers. If not, returns the transfers in flight, which are requeued.
    package mutating func availabilityChanged(_ isAvailable: Bool) -> [Entry] {
        var lost: [Entry] = []
        for index in queues.indices {
            if !isAvailable { lost += queues[index].interrupted() }
            queues[index].reachabilityChanged(isAvailable)
        }
        return lost
    }

    /// Returns the transfers to send now, in order.
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

    /// Restarts the time-out of a file transfer, as the receiver has more of the file.
    package mutating func progressed(_ identifier: UUID, _ kind: TransferKind, at time: MonotonicTime) {
        queues[Self.index(kind)].progressed(identifier, at: time)
    }

    /// Restarts all time-outs, as the link is delivering data, however slowly.
    package mutating func delivering(at time: MonotonicTime) {
        for index in queues.indices { queues[index].delivering(at: time) }
    }

    /// Returns the transfers whose time-out has passed.
    package func overdue(at time: MonotonicTime) -> [UUID] { queues.flatMap { $0.overdue(at: time) } }

    package var nextDeadline: MonotonicTime? {
        var next: MonotonicTime?
        for queue in queues { next.bringForward(to: queue.nextDeadline) }
        return next
    }

    package var pendingCount: Int { queues.reduce(0) { $0 + $1.pendingCount } }
}
