import Foundation
package import LinkProtocol
package import RecordStorage

/// The rules of the outbox: which payloads are read, sent, recorded, reported and retried, and when.
///
/// A value without a clock, randomness or I/O: it receives events with their time, and returns ``OutboxEffect``s to be
/// performed in their order.
package struct OutboxEngine: Sendable {
    package typealias Entry = OutboxStateMachine.Entry
    package typealias Effect = OutboxEffect

    /// The outcome of a payload, to be recorded.
    package struct End: Equatable, Sendable {
        package let identifier: UUID
        package let position: Int64
        package let state: OutboxEntry.State
        package let reason: String?

        package init(_ identifier: UUID, position: Int64, _ state: OutboxEntry.State, reason: String? = nil) {
            self.identifier = identifier
            self.position = position
            self.state = state
            self.reason = reason
        }
    }

    /// A finished attempt.
    package struct Try: Equatable, Sendable {
        package let identifier: UUID
        package let ending: AttemptResult

        package init(_ identifier: UUID, _ ending: AttemptResult) {
            self.identifier = identifier
            self.ending = ending
        }
    }

    /// The delay before the outbox's database is opened again after a failure. A second, as for outcomes that could not
    /// be recorded (``LinkProtocol/EndRecorder``).
    static let openingRetry: Duration = .seconds(1)
    /// The number of settled entries between prunings. 1,000: often enough for a small file, seldom enough to cost
    /// nothing.
    static let pruneInterval = 1_000
    /// The number of replied payloads that are remembered after they were pruned from the database, for late queries.
    /// 200,000: a few megabytes, and more than any client submits and waits for at one time.
    private static let rememberedReplies = 200_000

    private static let unlisted =
        "the outbox does not list it: it was not accepted here, was dropped, or was replied to long ago"

    private static let endedApp = "the app ended before it received an answer"

    private enum Database: Sendable {
        case closed
        case opening
        case unavailable(until: MonotonicTime)
        case open
    }

    private let kind: RecordKind
    private var database = Database.closed
    private var machine: OutboxStateMachine
    private var recorder = EndRecorder<End>()
    private var waiters = EndWaiters()
    /// The latest failure of an attempt; nil once a payload is settled after it.
    private var trouble: String?
    private var recordedSincePrune = 0
    private var forgottenReplies = RecentIdentifiers(capacity: rememberedReplies)
    private var random: SeededGenerator

    /// - Parameters:
    ///   - kind: The kind of the payloads, for texts.
    ///   - backoff: The delays between attempts.
    ///   - random: The source of jitter, which keeps companions from retrying at the same time.
    package init(of kind: RecordKind, backoff: Backoff, random: SeededGenerator) {
        self.kind = kind
        machine = OutboxStateMachine(backoff: backoff)
        self.random = random
    }

    // MARK: - Questions

    /// True when the entries of earlier runs are known: payloads can be accepted only then.
    package var isOpen: Bool {
        guard case .open = database else { return false }
        return true
    }

    /// Returns true while a payload is pending, so that the database need not be queried.
    package func isUnderWay(_ payload: UUID) -> Bool { machine.isUnderWay(payload) }

    /// Returns the reason why pending payloads are not delivered; nil if none are pending, or if no obstacle is known.
    ///
    /// - Parameter obstacle: The obstacle between the session and the host.
    package func waitingReason(obstacle: String?) -> String? {
        machine.pendingCount > 0 || !isOpen ? obstacle ?? trouble : nil
    }

    /// The time of the next call of ``deadlinePassed(at:)``, unless an event changes it.
    package var nextDeadline: MonotonicTime? {
        var next: MonotonicTime?
        if case .unavailable(let until) = database { next = until }
        next.bringForward(to: machine.nextDeadline)
        next.bringForward(to: recorder.nextDeadline)
        next.bringForward(to: waiters.nextDeadline)
        return next
    }

    /// Returns true if a payload can be sent. One with a predecessor must fit into the session's limit; one without was
    /// sent before, or is rejected with an error.
    package static func hasRoom(payloadBytes: Int, limit: Int, after predecessor: UUID?) -> Bool {
        payloadBytes <= limit || predecessor == nil
    }

    // MARK: - From the database

    /// Returns true if the caller must open the database, as for ``OutboxEffect/open``: nobody has opened it or is
    /// doing so.
    package mutating func opens() -> Bool {
        switch database {
        case .open, .opening: return false
        case .closed, .unavailable:
            database = .opening
            return true
        }
    }

    /// The database is open.
    ///
    /// - Parameters:
    ///   - pending: All pending entries, in their order.
    ///   - forgotten: Replied entries that were pruned from the database.
    package mutating func opened(_ pending: [Entry], forgotten: [UUID], at time: MonotonicTime) -> [Effect] {
        guard case .opening = database else { preconditionFailure("the database is not being opened: \(database)") }
        database = .open
        trouble = nil
        for payload in forgotten { forgottenReplies.insert(payload) }
        machine.accepted(pending)
        var effects: [Effect] = [.opened(pending: pending.count)]
        transmit(at: time, &effects)
        return effects
    }

    /// The database could not be opened.
    package mutating func openingFailed(_ error: String, at time: MonotonicTime) {
        guard case .opening = database else { preconditionFailure("the database is not being opened: \(database)") }
        database = .unavailable(until: time + Self.openingRetry)
        trouble = "the outbox's database is not available: \(error)"
    }

    /// Payloads are durable, new ones or failed ones to be retried: they are sent after all pending ones.
    package mutating func accepted(_ entries: [Entry], at time: MonotonicTime) -> [Effect] {
        guard isOpen else { preconditionFailure("no payload can be accepted: the database is \(database)") }
        machine.accepted(entries)
        var effects: [Effect] = []
        transmit(at: time, &effects)
        return effects
    }

    /// The outcomes of the last ``OutboxEffect/record(_:)`` are durable.
    package mutating func recorded(at time: MonotonicTime) -> [Effect] {
        let ends = recorder.recorded()
        var effects: [Effect] = []
        for end in ends {
            for waiter in waiters.ended(end.identifier) { effects.append(.tell(waiter, end.state, reason: end.reason)) }
        }
        recordedSincePrune += ends.count
        if recordedSincePrune >= Self.pruneInterval { effects.append(.prune) }
        record(at: time, &effects)
        return effects
    }

    /// The outcomes could not be recorded. Until they are, the payloads count as pending, and after a restart they would
    /// be sent again, which the host answers as before.
    package mutating func recordingFailed(at time: MonotonicTime) { recorder.failed(at: time) }

    /// - Parameter forgotten: Replied entries that were pruned from the database.
    package mutating func pruned(_ forgotten: [UUID]) {
        recordedSincePrune = 0
        for payload in forgotten { forgottenReplies.insert(payload) }
    }

    // MARK: - From the session

    package mutating func reachabilityChanged(_ isReachable: Bool, at time: MonotonicTime) -> [Effect] {
        machine.reachabilityChanged(isReachable)
        if isReachable { forgetTroubleOfAttempts() }
        var effects: [Effect] = []
        transmit(at: time, &effects)
        return effects
    }

    /// The session was activated. Attempts that were in flight when a previous app ended have no result, and are
    /// repeated; a change of reachability that it was not told of is `isReachable`.
    package mutating func activated(isReachable: Bool, at time: MonotonicTime) -> [Effect] {
        machine.reachabilityChanged(isReachable)
        if isReachable { forgetTroubleOfAttempts() }
        var effects: [Effect] = machine.interrupted().map {
            .retries($0.identifier, attempt: $0.attempts, reason: Self.endedApp)
        }
        transmit(at: time, &effects)
        return effects
    }

    /// Attempts have ended. Their outcomes are recorded together.
    package mutating func ended(_ tries: [Try], at time: MonotonicTime) -> [Effect] {
        var effects: [Effect] = []
        for attempt in tries { settle(attempt, at: time, &effects) }
        record(at: time, &effects)
        transmit(at: time, &effects)
        return effects
    }

    // MARK: - From waiters

    /// Registers a waiter for the outcome of a payload; it is notified immediately if the payload is settled or unknown.
    ///
    /// - Parameters:
    ///   - waiter: A unique number.
    ///   - payload: The identifier of the payload.
    ///   - listed: The payload's entry in the database; nil if it has none, or if it is pending here.
    ///   - deadline: The time at which the waiter is notified in any case.
    package mutating func asked(
        _ waiter: Int, about payload: UUID, listed: (state: OutboxEntry.State, reason: String?)?,
        until deadline: MonotonicTime? = nil
    ) -> [Effect] {
        guard !isUnderWay(payload), listed?.state != .pending else {
            waiters.add(waiter, for: payload, until: deadline)
            return []
        }
        if let listed { return [.tell(waiter, listed.state, reason: listed.reason)] }
        if forgottenReplies.contains(payload) { return [.tell(waiter, .replied, reason: nil)] }
        return [.tell(waiter, .failed, reason: Self.unlisted)]
    }

    // MARK: - Time

    package mutating func deadlinePassed(at time: MonotonicTime) -> [Effect] {
        var effects: [Effect] = []
        if case .unavailable(let until) = database, until <= time, opens() { effects.append(.open) }
        for waiter in waiters.outOfPatience(at: time) { effects.append(.tellPending(waiter)) }
        record(at: time, &effects)
        transmit(at: time, &effects)
        return effects
    }

    // MARK: - Rules

    /// An attempt that failed before the host was reachable again says nothing about the present.
    private mutating func forgetTroubleOfAttempts() {
        if isOpen { trouble = nil }
    }

    private mutating func settle(_ attempt: Try, at time: MonotonicTime, _ effects: inout [Effect]) {
        let payload = attempt.identifier
        switch attempt.ending {
        case .mistakenReply(let other): effects.append(.replyWasMistaken(payload, about: other))
        case .unreadableReply(let error): effects.append(.replyWasUnreadable(payload, error: error))
        default: break
        }
        switch machine.settled(payload, attempt.ending.outcome(kind), at: time, jitter: random.unit()) {
        case .ignore: break
        case .finish(let entry):
            trouble = nil
            recorder.add(End(payload, position: entry.position, .replied))
            effects.append(.replied(payload, attempt: entry.attempts))
        case .giveUp(let entry, let reason):
            trouble = nil
            recorder.add(End(payload, position: entry.position, .failed, reason: reason))
            effects.append(.gaveUp(payload, attempt: entry.attempts, reason: reason))
        case .retry(let entry, let reason):
            trouble = reason
            effects.append(.retries(payload, attempt: entry.attempts, reason: reason))
        }
    }

    private mutating func record(at time: MonotonicTime, _ effects: inout [Effect]) {
        if let ends = recorder.next(at: time) { effects.append(.record(ends)) }
    }

    private mutating func transmit(at time: MonotonicTime, _ effects: inout [Effect]) {
        for entry in machine.transmit(at: time) {
            effects.append(.transmit(entry.identifier, attempt: entry.attempts, after: entry.predecessor))
        }
    }
}
