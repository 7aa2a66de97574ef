package import Foundation

/// The rules of a durable outbox: in order, a window at a time, again after trouble, until each entry has its end.
///
/// Entries go out in their order, several at once. When one must be tried again, nothing new goes out until all that is
/// under way has settled and a delay has passed; then it starts over with the earliest one. So an entry is overtaken only
/// by those that were under way with it.
package struct OutboxStateMachine {
    /// Entries under way at once. 256: enough to keep the host's commits full, few enough to settle quickly after trouble.
    package static let window = 256

    package struct Entry: Equatable, Sendable {
        package let identifier: UUID
        /// The order in which entries were accepted.
        package let position: Int64
        /// How often it was tried.
        package var attempts: Int

        package init(identifier: UUID, position: Int64, attempts: Int = 0) {
            self.identifier = identifier
            self.position = position
            self.attempts = attempts
        }
    }

    /// How a try ended.
    package enum Outcome: Equatable, Sendable {
        case replied
        /// For good: the other side will never take it.
        case refused(reason: String)
        /// For now: it may succeed later.
        case unavailable(reason: String)
    }

    private var waiting: Deque<Entry> = Deque()
    private var underWay: [UUID: Entry] = [:]
    /// Tried, and to be tried again when all that is under way has settled.
    private var returned: [Entry] = []
    private var isReachable = false
    private var pausedUntil: MonotonicTime?
    /// Rounds that ended in trouble since the last success.
    private var troubles = 0
    private let backoff: Backoff

    package init(backoff: Backoff) {
        self.backoff = backoff
    }

    package var pendingCount: Int { waiting.count + underWay.count + returned.count }

    // MARK: - Events

    /// Entries are durable: they may go out. Positions must ascend.
    package mutating func accepted(_ entries: [Entry]) { waiting.append(contentsOf: entries) }

    package mutating func reachabilityChanged(_ isReachable: Bool) {
        self.isReachable = isReachable
        // A peer that comes back is a fresh start: what went wrong with its predecessor says nothing.
        if isReachable {
            pausedUntil = nil
            troubles = 0
        }
    }

    /// What to send now, in this order. Each must be settled later by ``settled(_:_:at:jitter:)``.
    package mutating func transmit(at time: MonotonicTime) -> [Entry] {
        guard isReachable, returned.isEmpty, pausedUntil.map({ time >= $0 }) ?? true else { return [] }
        pausedUntil = nil
        var entries: [Entry] = []
        while underWay.count < Self.window, var entry = waiting.first {
            waiting.removeFirst()
            entry.attempts += 1
            underWay[entry.identifier] = entry
            entries.append(entry)
        }
        return entries
    }

    package enum SettledAction: Equatable, Sendable {
        /// Not under way: settled before.
        case ignore
        /// Record the entry as replied.
        case finish(Entry)
        /// Record the entry as failed for good.
        case giveUp(Entry, reason: String)
        /// It will be tried again.
        case retry(Entry, reason: String)
    }

    package mutating func settled(
        _ identifier: UUID, _ outcome: Outcome, at time: MonotonicTime, jitter: Double
    ) -> SettledAction {
        guard let entry = underWay.removeValue(forKey: identifier) else { return .ignore }
        defer { restartIfSettled(at: time, jitter: jitter) }
        switch outcome {
        case .replied:
            troubles = 0
            return .finish(entry)
        case .refused(let reason):
            troubles = 0
            return .giveUp(entry, reason: reason)
        case .unavailable(let reason):
            returned.append(entry)
            return .retry(entry, reason: reason)
        }
    }

    /// When ``transmit(at:)`` may have something to send, if nothing happens before.
    package var nextDeadline: MonotonicTime? { isReachable && !waiting.isEmpty ? pausedUntil : nil }

    private mutating func restartIfSettled(at time: MonotonicTime, jitter: Double) {
        guard underWay.isEmpty, !returned.isEmpty else { return }
        waiting.prepend(contentsOf: returned.sorted { $0.position < $1.position })
        returned.removeAll()
        troubles += 1
        pausedUntil = time + backoff.delay(afterFailures: troubles, jitter: jitter)
    }
}
