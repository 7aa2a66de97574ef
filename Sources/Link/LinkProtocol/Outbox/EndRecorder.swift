/// A queue of final states that are waiting to be recorded durably, with one rule for the time of the commits.
///
/// One commit is made at a time, of everything queued when it begins. Final states that arrive in the meantime wait for
/// the next one. After a failure the same ones are retried after ``retryDelay``, together with later ones.
@usableFromInline
package struct EndRecorder<End: Sendable>: Sendable {
    /// The delay after a failed commit. One second: retries are rare enough to cost nothing on a full or locked
    /// database, and waiting callers are notified soon after it recovers.
    @inlinable package static var retryDelay: Duration { .seconds(1) }

    @usableFromInline enum State: Sendable {
        case idle
        /// A commit contains this many of the first elements.
        case writing(Int)
        /// The last commit failed.
        case waiting(until: MonotonicTime)
    }

    /// The elements that are not known to be durable, in order of arrival.
    @usableFromInline var ends: [End] = []
    @usableFromInline var state = State.idle

    @inlinable
    package init() {}

    /// True if every element is durable.
    @inlinable package var isEmpty: Bool { ends.isEmpty }

    /// True while a commit is in progress.
    @inlinable package var isWriting: Bool {
        guard case .writing = state else { return false }
        return true
    }

    /// The time at which ``next(at:)`` retries after a failure; nil if no retry is pending.
    @inlinable package var nextDeadline: MonotonicTime? {
        guard case .waiting(let until) = state else { return nil }
        return until
    }

    @inlinable
    package mutating func add(_ end: End) { ends.append(end) }

    /// Returns the elements to record now, in one commit; nil if there are none or a commit must wait. The caller must
    /// report the commit's result with ``recorded()`` or ``failed(at:)``.
    @inlinable
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

    /// Records that the commit is durable.
    ///
    /// - Returns: The elements of the commit, each returned once.
    @inlinable
    package mutating func recorded() -> [End] {
        guard case .writing(let count) = state else { preconditionFailure("no commit was in progress: \(state)") }
        state = .idle
        // Usually all of them.
        guard count < ends.count else {
            defer { ends = [] }
            return ends
        }
        let recorded = Array(ends[..<count])
        ends.removeSubrange(..<count)
        return recorded
    }

    /// Records that the commit failed: none of it is durable.
    @inlinable
    package mutating func failed(at time: MonotonicTime) {
        guard case .writing = state else { preconditionFailure("no commit was in progress: \(state)") }
        state = .waiting(until: time + Self.retryDelay)
    }
}
