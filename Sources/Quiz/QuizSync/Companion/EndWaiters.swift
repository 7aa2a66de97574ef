import Foundation
import LinkProtocol

/// Those who wait to hear how quizzes end, each by a number, and how long each is ready to wait.
struct EndWaiters: Sendable {
    private struct Patience: Sendable {
        let waiter: Int
        let end: MonotonicTime
    }

    private var waiters: [UUID: [Int]] = [:]
    private var quizzes: [Int: UUID] = [:]
    /// Those whose patience ends first stand first. Who was told stays until its place is the first one.
    private var patiences = Deque<Patience>()

    /// When the first of them has waited long enough.
    var nextDeadline: MonotonicTime? { patiences.first?.end }

    mutating func add(_ waiter: Int, for quiz: UUID, until deadline: MonotonicTime?) {
        waiters[quiz, default: []].append(waiter)
        quizzes[waiter] = quiz
        guard let deadline else { return }
        let patience = Patience(waiter: waiter, end: deadline)
        // Mostly all have the same patience, so that who came last has the latest end.
        guard let last = patiences.last, last.end > deadline else { return patiences.append(patience) }
        patiences = Deque(patiences.filter { $0.end <= deadline } + [patience] + patiences.filter { $0.end > deadline })
    }

    /// A quiz has its end: those who waited for it, in the order in which they came.
    mutating func ended(_ quiz: UUID) -> [Int] {
        guard let told = waiters.removeValue(forKey: quiz) else { return [] }
        for waiter in told { quizzes[waiter] = nil }
        dropTold()
        return told
    }

    /// Those who have waited long enough, and wait no more.
    mutating func outOfPatience(at time: MonotonicTime) -> [Int] {
        var told: [Int] = []
        while let first = patiences.first, first.end <= time {
            patiences.removeFirst()
            guard let quiz = quizzes.removeValue(forKey: first.waiter) else { continue }
            waiters[quiz]?.removeAll { $0 == first.waiter }
            if waiters[quiz]?.isEmpty == true { waiters[quiz] = nil }
            told.append(first.waiter)
        }
        dropTold()
        return told
    }

    private mutating func dropTold() {
        while let first = patiences.first, quizzes[first.waiter] == nil { patiences.removeFirst() }
    }
}
