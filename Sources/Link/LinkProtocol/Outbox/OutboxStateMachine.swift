package import Foundation

/// The rules of a durable outbox: in order, a window at a time, again after trouble, until each entry has its end.
///
/// Entries go out in their order, several at once. When one must be tried again, nothing new goes out until all that is
/// under way has settled and a delay has passed; then it starts over with the earliest one.
///
/// No entry overtakes another at a receiver that takes an entry with a predecessor only when it has just settled that
/// predecessor. An entry without one goes out when all before it have settled; one with a predecessor follows it directly. By
/// induction all before an entry have settled when it is taken, whatever was lost or delayed between.
package struct OutboxStateMachine: Sendable {
    /// Entries under way at once. 256: enough to keep the host's commits full, few enough to settle quickly after trouble.
    package static let window = 256

    package struct Entry: Equatable, Sendable {
        package let identifier: UUID
        /// The order in which entries were accepted.
        package let position: Int64
        /// Goes out before all that is not.
        package var isUrgent: Bool
        /// How often it was tried.
        package var attempts: Int
        /// Whether it is the first after trouble: the receiver may take again what comes from here on.
        package fileprivate(set) var startsRound = false
        /// The entry that went out directly before this one; nil if nothing was under way then.
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

    /// How a try ended.
    package enum Outcome: Equatable, Sendable {
        case replied
        /// For good: the other side will never take it.
        case refused(reason: String)
        /// For now: it may succeed later.
        case unavailable(reason: String)
    }

    private struct Try: Sendable {
        var entry: Entry
        /// When it counts as lost, if there is no word of it until then.
        var deadline: MonotonicTime?
    }

    private var waiting: Deque<Entry> = Deque()
    private var underWay: [UUID: Try] = [:]
    /// Tried, and to be tried again when all that is under way has settled.
    private var returned: [Entry] = []
    private var isReachable = false
    private var pausedUntil: MonotonicTime?
    /// Rounds that ended in trouble since the last success.
    private var troubles = 0
    private var restarts = false
    /// What went out last. Of interest while something is under way.
    private var lastTransmitted: UUID?
    private let backoff: Backoff
    private let window: Int
    private let patience: Duration?

    /// - Parameters:
    ///   - window: How many entries may be under way at once.
    ///   - patience: How long an entry may be under way without a word of it; nil if somebody else watches that.
    package init(backoff: Backoff, window: Int = Self.window, patience: Duration? = nil) {
        self.backoff = backoff
        self.window = window
        self.patience = patience
    }

    package func isUnderWay(_ identifier: UUID) -> Bool { underWay[identifier] != nil }

    package var pendingCount: Int { waiting.count + underWay.count + returned.count }

    // MARK: - Events

    /// Entries are durable: they may go out. Positions must ascend.
    package mutating func accepted(_ entries: [Entry]) { waiting.append(contentsOf: entries) }

    /// An entry is durable, and has its place among those that wait by its urgency and position.
    package mutating func inserted(_ entry: Entry) {
        guard let last = waiting.last, entry.precedes(last) else { return waiting.append(entry) }
        waiting = Deque(waiting.filter { $0.precedes(entry) } + [entry] + waiting.filter { entry.precedes($0) })
    }

    /// An entry is not wanted any more. False if it is not here: it has ended, or was never accepted.
    ///
    /// What is under way may arrive all the same; how it ends is of no interest then.
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

    /// What is under way is lost with its connection, and waits again.
    package mutating func interrupted() -> [Entry] {
        let lost = underWay.values.map(\.entry).sorted { $0.precedes($1) }
        underWay.removeAll()
        waiting = Deque((lost + returned + waiting).sorted { $0.precedes($1) })
        returned.removeAll()
        // The connection may be the same: what its receiver did not take keeps out what comes behind, up to here.
        if !waiting.isEmpty { restarts = true }
        return lost
    }

    /// An urgent entry waits like the others from now on.
    package mutating func calmed(_ identifier: UUID) {
        func calm(_ entry: Entry) -> Entry {
            var entry = entry
            if entry.identifier == identifier { entry.isUrgent = false }
            return entry
        }
        waiting = Deque(waiting.map(calm).sorted { $0.precedes($1) })
        returned = returned.map(calm)
        underWay[identifier]?.entry.isUrgent = false
    }

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

    /// There is word of an entry that is under way: it is not lost.
    package mutating func progressed(_ identifier: UUID, at time: MonotonicTime) {
        _ = underWay.change(identifier) { $0.deadline = patience.map { time + $0 } }
    }

    /// The link carries what is under way: none of it is lost yet.
    package mutating func delivering(at time: MonotonicTime) {
        for identifier in underWay.keys { progressed(identifier, at: time) }
    }

    /// What has been under way for too long: each is to be settled as unavailable.
    package func overdue(at time: MonotonicTime) -> [UUID] {
        guard patience != nil else { return [] }
        return underWay.values.filter { $0.deadline.map { $0 <= time } ?? false }.map(\.entry)
            .sorted { $0.precedes($1) }.map(\.identifier)
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

    /// When ``transmit(at:)`` may have something to send, or ``overdue(at:)`` something to tell, if nothing happens before.
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
