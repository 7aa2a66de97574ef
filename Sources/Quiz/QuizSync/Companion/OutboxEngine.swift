import Foundation
package import LinkProtocol
package import QuizStorage

/// The rules of the companion's quizzes on their way: what is read, sent, written down, told and tried again, and when.
///
/// A value without clock, chance or I/O: events and the time go in, ``OutboxEffect``s come out, to be carried out in their order.
package struct OutboxEngine: Sendable {
    package typealias Entry = OutboxStateMachine.Entry
    package typealias Effect = OutboxEffect

    /// How a quiz ended, to be written down.
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

    /// A try that is over.
    package struct Try: Equatable, Sendable {
        package let identifier: UUID
        package let ending: TryEnding

        package init(_ identifier: UUID, _ ending: TryEnding) {
            self.identifier = identifier
            self.ending = ending
        }
    }

    /// How long after the outbox's database could not be read it is tried again. A second, as for ends that could not be written
    /// (``LinkProtocol/EndRecorder``).
    static let openingRetry: Duration = .seconds(1)
    /// Settled entries after which old ones are forgotten. 1,000: often enough for a small file, seldom enough to cost nothing.
    static let pruneInterval = 1_000
    /// Replies that are remembered beyond those that the database lists, for whoever asks late. 200,000: a few megabytes, and more
    /// than anybody hands over at once and waits for.
    private static let rememberedReplies = 200_000

    private static let unlisted =
        "the outbox does not list it: it was not accepted here, was dropped, or was replied to long ago"

    private static let endedApp = "the app ended before it had an answer"

    private enum Database: Sendable {
        case closed
        case opening
        case unavailable(until: MonotonicTime)
        case open
    }

    private var database = Database.closed
    private var machine: OutboxStateMachine
    private var recorder = EndRecorder<End>()
    private var waiters = EndWaiters()
    /// The last that kept a quiz from its end, while none has had its end since.
    private var trouble: String?
    private var recordedSincePrune = 0
    private var forgottenReplies = RecentIdentifiers(capacity: rememberedReplies)
    private var random: SeededGenerator

    /// - Parameters:
    ///   - backoff: The delays between tries.
    ///   - random: Keeps companions from trying in step.
    package init(backoff: Backoff, random: SeededGenerator) {
        machine = OutboxStateMachine(backoff: backoff)
        self.random = random
    }

    // MARK: - Questions

    /// Whether what earlier runs left is known: only then quizzes may be accepted.
    package var isOpen: Bool {
        guard case .open = database else { return false }
        return true
    }

    /// Whether a quiz is being sent: then the database need not be asked about it.
    package func isUnderWay(_ quiz: UUID) -> Bool { machine.isUnderWay(quiz) }

    /// Why what waits does not arrive: nil if nothing waits, or if nothing is known to be in its way.
    ///
    /// - Parameter obstacle: What keeps the session from the host.
    package func waitingReason(obstacle: String?) -> String? {
        machine.pendingCount > 0 || !isOpen ? obstacle ?? trouble : nil
    }

    /// When ``deadlinePassed(at:)`` has something to do, if nothing happens before.
    package var nextDeadline: MonotonicTime? {
        var next: MonotonicTime?
        if case .unavailable(let until) = database { next = until }
        next.bringForward(to: machine.nextDeadline)
        next.bringForward(to: recorder.nextDeadline)
        next.bringForward(to: waiters.nextDeadline)
        return next
    }

    /// Whether a payload may be sent: one that names a predecessor only if the link takes it; without one it has gone before, or is
    /// refused in words.
    package static func hasRoom(payloadBytes: Int, after predecessor: UUID?) -> Bool {
        payloadBytes <= LinkLimits.messageBytes || predecessor == nil
    }

    // MARK: - From the database

    /// Whether the database is to be opened now, as at ``OutboxEffect/open``: nobody has done so, or is at it.
    package mutating func opens() -> Bool {
        switch database {
        case .open, .opening: return false
        case .closed, .unavailable:
            database = .opening
            return true
        }
    }

    /// - Parameters:
    ///   - pending: All that wait, in their order.
    ///   - forgotten: Entries that were replied to, and that the database does not list any more.
    package mutating func opened(_ pending: [Entry], forgotten: [UUID], at time: MonotonicTime) -> [Effect] {
        guard case .opening = database else { preconditionFailure("the database was not to be opened: \(database)") }
        database = .open
        trouble = nil
        for quiz in forgotten { forgottenReplies.insert(quiz) }
        machine.accepted(pending)
        var effects: [Effect] = [.opened(pending: pending.count)]
        transmit(at: time, &effects)
        return effects
    }

    package mutating func openingFailed(_ error: String, at time: MonotonicTime) {
        guard case .opening = database else { preconditionFailure("the database was not to be opened: \(database)") }
        database = .unavailable(until: time + Self.openingRetry)
        trouble = "the outbox's database is not available: \(error)"
    }

    /// Quizzes are durable, new ones or such as had failed: they go out behind all that wait.
    package mutating func accepted(_ entries: [Entry], at time: MonotonicTime) -> [Effect] {
        guard isOpen else { preconditionFailure("nothing can be accepted: the database is \(database)") }
        machine.accepted(entries)
        var effects: [Effect] = []
        transmit(at: time, &effects)
        return effects
    }

    /// The ends of the last ``OutboxEffect/record(_:)`` are durable.
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

    /// They are not. Until they are, the quizzes count as pending, and a restart would send them again, which the host answers
    /// as it did.
    package mutating func recordingFailed(at time: MonotonicTime) { recorder.failed(at: time) }

    /// - Parameter forgotten: Entries that were replied to, and that the database does not list any more.
    package mutating func pruned(_ forgotten: [UUID]) {
        recordedSincePrune = 0
        for quiz in forgotten { forgottenReplies.insert(quiz) }
    }

    // MARK: - From the session

    package mutating func reachabilityChanged(_ isReachable: Bool, at time: MonotonicTime) -> [Effect] {
        machine.reachabilityChanged(isReachable)
        var effects: [Effect] = []
        transmit(at: time, &effects)
        return effects
    }

    /// The session was activated. If an app of before ended with tries under way, nobody will hear of them: they are made again.
    package mutating func activated(at time: MonotonicTime) -> [Effect] {
        var effects: [Effect] = machine.interrupted().map {
            .retries($0.identifier, attempt: $0.attempts, reason: Self.endedApp)
        }
        transmit(at: time, &effects)
        return effects
    }

    /// Tries are over. What comes together is written down together.
    package mutating func ended(_ tries: [Try], at time: MonotonicTime) -> [Effect] {
        var effects: [Effect] = []
        for attempt in tries { settle(attempt, at: time, &effects) }
        record(at: time, &effects)
        transmit(at: time, &effects)
        return effects
    }

    // MARK: - From whoever asks

    /// Somebody wants to know how a quiz ends: at once if it has its end, or if there is no such quiz.
    ///
    /// - Parameters:
    ///   - waiter: A number of its own.
    ///   - listed: What the database says of the quiz; nil if it does not list it, or if it is under way.
    ///   - deadline: When it wants to be told in any case.
    package mutating func asked(
        _ waiter: Int, about quiz: UUID, listed: (state: OutboxEntry.State, reason: String?)?,
        until deadline: MonotonicTime? = nil
    ) -> [Effect] {
        guard !isUnderWay(quiz), listed?.state != .pending else {
            waiters.add(waiter, for: quiz, until: deadline)
            return []
        }
        if let listed { return [.tell(waiter, listed.state, reason: listed.reason)] }
        if forgottenReplies.contains(quiz) { return [.tell(waiter, .replied, reason: nil)] }
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

    private mutating func settle(_ attempt: Try, at time: MonotonicTime, _ effects: inout [Effect]) {
        let quiz = attempt.identifier
        switch attempt.ending {
        case .mistakenReply(let other): effects.append(.replyWasMistaken(quiz, about: other))
        case .unreadableReply(let error): effects.append(.replyWasUnreadable(quiz, error: error))
        default: break
        }
        switch machine.settled(quiz, attempt.ending.outcome, at: time, jitter: random.unit()) {
        case .ignore: break
        case .finish(let entry):
            trouble = nil
            recorder.add(End(quiz, position: entry.position, .replied))
            effects.append(.replied(quiz, attempt: entry.attempts))
        case .giveUp(let entry, let reason):
            trouble = nil
            recorder.add(End(quiz, position: entry.position, .failed, reason: reason))
            effects.append(.gaveUp(quiz, attempt: entry.attempts, reason: reason))
        case .retry(let entry, let reason):
            trouble = reason
            effects.append(.retries(quiz, attempt: entry.attempts, reason: reason))
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
