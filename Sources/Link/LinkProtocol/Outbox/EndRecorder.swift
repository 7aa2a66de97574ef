/// Ends that wait to be written down: the one rule for when they are, whoever's they are.
///
/// One commit is made at a time, of all that wait when it begins. An end that comes meanwhile has its own turn. After a failure
/// the same ends are tried again, with those that came since, and not before ``retryDelay`` has passed.
package struct EndRecorder<End: Sendable>: Sendable {
    /// How long after a failure it is tried again. A second: a database that is full or locked is asked rarely enough to cost
    /// nothing, and what waits for its end is told soon after the database is back.
    package static var retryDelay: Duration { .seconds(1) }

    private enum State: Sendable {
        case idle
        /// So many of the first ends are in a commit.
        case writing(Int)
        /// The last commit failed.
        case waiting(until: MonotonicTime)
    }

    /// Those that are not known to be durable, in the order in which they came.
    private var ends: [End] = []
    private var state = State.idle

    package init() {}

    /// Whether every end is durable.
    package var isEmpty: Bool { ends.isEmpty }

    /// Whether a commit is under way.
    package var isWriting: Bool {
        guard case .writing = state else { return false }
        return true
    }

    /// When ``next(at:)`` has something after a failure; nil if it does not wait for time to pass.
    package var nextDeadline: MonotonicTime? {
        guard case .waiting(let until) = state else { return nil }
        return until
    }

    package mutating func add(_ end: End) { ends.append(end) }

    /// The ends to write down now, in one commit, or nil if it is not the time for any. The commit's outcome must be told with
    /// ``recorded()`` or ``failed(at:)``.
    package mutating func next(at time: MonotonicTime) -> [End]? {
        switch state {
        case .writing: return nil
        case .waiting(let until) where time < until: return nil
        case .idle, .waiting:
            guard !ends.isEmpty else { return nil }
            state = .writing(ends.count)
            return ends
        }
    }

    /// The commit is durable.
    ///
    /// - Returns: The ends in it, each of which is told here once.
    package mutating func recorded() -> [End] {
        guard case .writing(let count) = state else { preconditionFailure("no commit was under way: \(state)") }
        state = .idle
        // Mostly all of them.
        guard count < ends.count else {
            defer { ends = [] }
            return ends
        }
        let recorded = Array(ends[..<count])
        ends.removeSubrange(..<count)
        return recorded
    }

    /// The commit failed: nothing of it is durable.
    package mutating func failed(at time: MonotonicTime) {
        guard case .writing = state else { preconditionFailure("no commit was under way: \(state)") }
        state = .waiting(until: time + Self.retryDelay)
    }
}
