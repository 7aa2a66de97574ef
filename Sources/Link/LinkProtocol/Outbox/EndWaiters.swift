package import Foundation

/// Those who wait to hear how entries of an outbox end, each by a number, and how long each is ready to wait.
package struct EndWaiters: Sendable {
    private struct Patience: Sendable {
        let waiter: Int
        let end: MonotonicTime
    }

    private var waiters: [UUID: [Int]] = [:]
    private var entries: [Int: UUID] = [:]
    /// Those whose patience ends first stand first. Who was told stays until its place is the first one.
    private var patiences = Deque<Patience>()

    package init() {}

    /// When the first of them has waited long enough.
    package var nextDeadline: MonotonicTime? { patiences.first?.end }

    package mutating func add(_ waiter: Int, for entry: UUID, until deadline: MonotonicTime?) {
        waiters[entry, default: []].append(waiter)
        entries[waiter] = entry
        guard let deadline else { return }
        let patience = Patience(waiter: waiter, end: deadline)
        // Mostly all have the same patience, so that who came last has the latest end.
        guard let last = patiences.last, last.end > deadline else { return patiences.append(patience) }
        patiences = Deque(patiences.filter { $0.end <= deadline } + [patience] + patiences.filter { $0.end > deadline })
    }

    /// An entry has its end: those who waited for it, in the order in which they came.
    package mutating func ended(_ entry: UUID) -> [Int] {
        guard let told = waiters.removeValue(forKey: entry) else { return [] }
        for waiter in told { entries[waiter] = nil }
        dropTold()
        return told
    }

    /// Those who have waited long enough, and wait no more.
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
