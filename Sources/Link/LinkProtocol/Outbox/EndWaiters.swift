package import Foundation

/// The callers that wait for the final states of outbox entries, each with a number and an optional deadline.
package struct EndWaiters: Sendable {
    private struct Patience: Sendable {
        let waiter: Int
        let entry: UUID
        let end: MonotonicTime
    }

    private var waiters: [IdentifierKey: [Int]] = [:]
    /// Sorted by deadline. A notified waiter stays in the queue until it reaches the front.
    private var patiences = Deque<Patience>()

    package init() {}

    /// The earliest deadline of a waiter.
    package var nextDeadline: MonotonicTime? { patiences.first?.end }

    package mutating func add(_ waiter: Int, for entry: UUID, until deadline: MonotonicTime?) {
        waiters[IdentifierKey(entry), default: []].append(waiter)
        guard let deadline else { return }
        let patience = Patience(waiter: waiter, entry: entry, end: deadline)
        // Usually all time-outs are equal, so that the latest waiter has the latest deadline.
        guard let last = patiences.last, last.end > deadline else { return patiences.append(patience) }
        patiences = Deque(patiences.filter { $0.end <= deadline } + [patience] + patiences.filter { $0.end > deadline })
    }

    /// Removes and returns the waiters for an entry that has reached its final state, in order of arrival.
    package mutating func ended(_ entry: UUID) -> [Int] {
        guard let told = waiters.removeValue(forKey: entry) else { return [] }
        dropTold()
        return told
    }

    /// Removes and returns the waiters whose deadline has passed.
    package mutating func outOfPatience(at time: MonotonicTime) -> [Int] {
        var told: [Int] = []
        while let first = patiences.first, first.end <= time {
            patiences.removeFirst()
            guard waits(first) else { continue }
            waiters.change(first.entry) { $0.removeAll { $0 == first.waiter } }
            if waiters[first.entry]?.isEmpty == true { waiters[first.entry] = nil }
            told.append(first.waiter)
        }
        dropTold()
        return told
    }

    private mutating func dropTold() {
        while let first = patiences.first, !waits(first) { patiences.removeFirst() }
    }

    /// Returns true if a waiter was not told yet.
    private func waits(_ patience: Patience) -> Bool { waiters[patience.entry]?.contains(patience.waiter) == true }
}
