package import Foundation

/// The callers that wait for the final states of outbox entries, each with a number and an optional deadline.
package struct EndWaiters: Sendable {
    private struct Patience: Sendable {
        let waiter: Int
        let end: MonotonicTime
    }

    private var waiters: [UUID: [Int]] = [:]
    private var entries: [Int: UUID] = [:]
    /// Sorted by deadline. A notified waiter stays in the queue until it reaches the front.
    private var patiences = Deque<Patience>()

    package init() {}

    /// The earliest deadline of a waiter.
    package var nextDeadline: MonotonicTime? { patiences.first?.end }

    package mutating func add(_ waiter: Int, for entry: UUID, until deadline: MonotonicTime?) {
        waiters[entry, default: []].append(waiter)
        entries[waiter] = entry
        guard let deadline else { return }
        let patience = Patience(waiter: waiter, end: deadline)
        // Usually all time-outs are equal, so that the latest waiter has the latest deadline.
        guard let last = patiences.last, last.end > deadline else { return patiences.append(patience) }
        patiences = Deque(patiences.filter { $0.end <= deadline } + [patience] + patiences.filter { $0.end > deadline })
    }

    /// Removes and returns the waiters for an entry that has reached its final state, in order of arrival.
    package mutating func ended(_ entry: UUID) -> [Int] {
        guard let told = waiters.removeValue(forKey: entry) else { return [] }
        for waiter in told { entries[waiter] = nil }
        dropTold()
        return told
    }

    /// Removes and returns the waiters whose deadline has passed.
    package mutating func outOfPatience(at time: MonotonicTime) -> [Int] {
        var told: [Int] = []
        while let first = patiences.first, first.end <= time {
            patiences.removeFirst()
            guard let entry = entries.removeValue(forKey: first.waiter) else { continue }
            waiters[entry]?.removeAll { $0 == first.waiter }
            if waiters[entry]?.isEmpty == true { waiters[entry] = nil }
            told.append(first.waiter)
        }
        dropTold()
        return told
    }

    private mutating func dropTold() {
        while let first = patiences.first, entries[first.waiter] == nil { patiences.removeFirst() }
    }
}
