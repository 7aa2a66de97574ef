package import Foundation

/// The state machine of a durable outbox: sends entries in order, several at a time, and retries each until it reaches
/// a final state.
///
/// If an entry must be retried, nothing new is sent until all entries in flight have settled and a delay has passed;
/// then sending restarts with the earliest entry.
///
/// The receiver accepts an entry with a predecessor only if that predecessor was the last entry it settled. An entry
/// without a predecessor is sent only after all earlier ones have settled. By induction, all earlier entries have
/// settled when an entry is accepted, so no entry overtakes another, regardless of losses and delays.
package struct OutboxStateMachine: Sendable {
    /// The most entries in flight. 256: enough to fill the host's commits, few enough to settle fast after a failure.
    package static let window = 256

    package struct Entry: Equatable, Sendable {
        package let identifier: UUID
        /// The order of acceptance.
        package let position: Int64
        /// True if the entry precedes all entries that are not urgent.
        package var isUrgent: Bool
        /// The number of attempts.
        package var attempts: Int
        /// True if it is the first entry after a failure: the receiver may accept entries again from here on.
        package fileprivate(set) var startsRound = false
        /// The entry sent directly before this one; nil if nothing was in flight then.
        package fileprivate(set) var predecessor: UUID?

        package init(identifier: UUID, position: Int64, isUrgent: Bool = false, attempts: Int = 0) {
            self.identifier = identifier
            self.position = position
            self.isUrgent = isUrgent
            self.attempts = attempts
        }

        fileprivate func precedes(_ other: Entry) -> Bool {
            isUrgent == other.isUrgent ? position < other.position : isUrgent
        }
    }

    /// The result of an attempt.
    package enum Outcome: Equatable, Sendable {
        case replied
        /// Permanent: the other side will never accept the entry.
        case refused(reason: String)
        /// Temporary: a later attempt may succeed.
        case unavailable(reason: String)
    }

    private struct Try: Sendable {
        var entry: Entry
        /// The time at which the attempt counts as lost unless progress is reported.
        var deadline: MonotonicTime?
    }

    private var waiting: Deque<Entry> = Deque()
    private var underWay: [IdentifierKey: Try] = [:]
    /// The entries to be retried when everything in flight has settled.
    private var returned: [Entry] = []
    private var isReachable = false
    private var pausedUntil: MonotonicTime?
    /// The number of failed rounds since the last success.
    private var troubles = 0
    private var restarts = false
    /// The entry sent last; only meaningful while something is in flight.
    private var lastTransmitted: UUID?
    private let backoff: Backoff
    private let window: Int
    private let patience: Duration?

    /// Creates an empty outbox.
    ///
    /// - Parameters:
    ///   - window: The most entries in flight.
    ///   - patience: The time-out of an attempt without progress; nil if the caller enforces one.
    package init(backoff: Backoff, window: Int = Self.window, patience: Duration? = nil) {
        self.backoff = backoff
        self.window = window
        self.patience = patience
    }

    package func isUnderWay(_ identifier: UUID) -> Bool { underWay[identifier] != nil }

    /// Returns true if the receiver may have an entry, or a part of it, as it is in flight or must be sent again.
    package func wasSent(_ identifier: UUID) -> Bool {
        func isSent(_ entry: Entry) -> Bool { entry.identifier == identifier && entry.attempts > 0 }
        return isUnderWay(identifier) || returned.contains(where: isSent) || waiting.contains(where: isSent)
    }

    package var pendingCount: Int { waiting.count + underWay.count + returned.count }

    // MARK: - Events

    /// Appends durable entries for sending. Positions must ascend.
    package mutating func accepted(_ entries: [Entry]) { waiting.append(contentsOf: entries) }

    /// Inserts a durable entry at the place given by its urgency and position.
    package mutating func inserted(_ entry: Entry) {
        guard let last = waiting.last, entry.precedes(last) else { return waiting.append(entry) }
        waiting = Deque(waiting.filter { $0.precedes(entry) } + [entry] + waiting.filter { entry.precedes($0) })
    }

    /// Removes an entry. Returns false if it is unknown: already final, or never accepted.
    ///
    /// An entry in flight may still arrive; its result is then ignored.
    package mutating func cancelled(_ identifier: UUID, at time: MonotonicTime, jitter: Double) -> Bool {
        if underWay.removeValue(forKey: identifier) != nil {
            restartIfSettled(at: time, jitter: jitter)
            return true
        }
        let count = pendingCount
        waiting = Deque(waiting.filter { $0.identifier != identifier })
        returned.removeAll { $0.identifier == identifier }
        return pendingCount < count
    }

    /// Requeues the entries in flight, which were lost with their connection.
    package mutating func interrupted() -> [Entry] {
        // Usually nothing is in flight, and what waits keeps its order.
        guard !underWay.isEmpty || !returned.isEmpty else {
            if !waiting.isEmpty { restarts = true }
            return []
        }
        let lost = underWay.values.map(\.entry).sorted { $0.precedes($1) }
        underWay.removeAll()
        waiting = Deque((lost + returned + waiting).sorted { $0.precedes($1) })
        returned.removeAll()
        // The connection may still be the same: entries that its receiver did not accept block later ones up to here.
        if !waiting.isEmpty { restarts = true }
        return lost
    }

    /// Makes an urgent entry an ordinary one.
    package mutating func demoted(_ identifier: UUID) {
        func demote(_ entry: Entry) -> Entry {
            var entry = entry
            if entry.identifier == identifier { entry.isUrgent = false }
            return entry
        }
        waiting = Deque(waiting.map(demote).sorted { $0.precedes($1) })
        returned = returned.map(demote)
        underWay.change(identifier) { $0.entry.isUrgent = false }
    }

    package mutating func reachabilityChanged(_ isReachable: Bool) {
        self.isReachable = isReachable
        // A peer that reconnects is a fresh start: earlier failures say nothing about it.
        if isReachable {
            pausedUntil = nil
            troubles = 0
        }
    }

    /// Returns the entries to send now, in order. Each must be settled later by ``settled(_:_:at:jitter:)``.
    package mutating func transmit(at time: MonotonicTime) -> [Entry] {
        guard isReachable, returned.isEmpty, pausedUntil.map({ time >= $0 }) ?? true else { return [] }
        pausedUntil = nil
        var entries: [Entry] = []
        while underWay.count < window, var entry = waiting.first {
            waiting.removeFirst()
            entry.attempts += 1
            entry.startsRound = restarts
            restarts = false
            entry.predecessor = underWay.isEmpty ? nil : lastTransmitted
            lastTransmitted = entry.identifier
            underWay[entry.identifier] = Try(entry: entry, deadline: patience.map { time + $0 })
            entries.append(entry)
        }
        return entries
    }

    /// Restarts the time-out of an entry in flight, for which progress was reported.
    package mutating func progressed(_ identifier: UUID, at time: MonotonicTime) {
        underWay.change(identifier) { $0.deadline = patience.map { time + $0 } }
    }

    /// Restarts the time-outs of all entries in flight, as the link is delivering data.
    package mutating func delivering(at time: MonotonicTime) {
        for key in underWay.keys { progressed(key.identifier, at: time) }
    }

    /// Returns the entries whose time-out has passed: each must be settled as unavailable.
    package func overdue(at time: MonotonicTime) -> [UUID] {
        guard patience != nil else { return [] }
        return underWay.values.filter { $0.deadline.map { $0 <= time } ?? false }.map(\.entry)
            .sorted { $0.precedes($1) }.map(\.identifier)
    }

    package enum SettledAction: Equatable, Sendable {
        /// Not in flight: settled before.
        case ignore
        /// Record the entry as replied.
        case finish(Entry)
        /// Record the entry as permanently failed.
        case giveUp(Entry, reason: String)
        /// The entry will be retried.
        case retry(Entry, reason: String)
    }

    package mutating func settled(
        _ identifier: UUID, _ outcome: Outcome, at time: MonotonicTime, jitter: Double
    ) -> SettledAction {
        guard let entry = underWay.removeValue(forKey: identifier)?.entry else { return .ignore }
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

    /// The time at which ``transmit(at:)`` or ``overdue(at:)`` may have work to do unless another event occurs first.
    package var nextDeadline: MonotonicTime? {
        var next = isReachable && !waiting.isEmpty ? pausedUntil : nil
        guard patience != nil else { return next }
        for attempt in underWay.values { next.bringForward(to: attempt.deadline) }
        return next
    }

    private mutating func restartIfSettled(at time: MonotonicTime, jitter: Double) {
        guard underWay.isEmpty, !returned.isEmpty else { return }
        waiting = Deque((returned + waiting).sorted { $0.precedes($1) })
        returned.removeAll()
        troubles += 1
        restarts = true
        pausedUntil = time + backoff.delay(afterFailures: troubles, jitter: jitter)
    }
}
