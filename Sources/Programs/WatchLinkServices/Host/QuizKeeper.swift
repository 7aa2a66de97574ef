import EventLog
import Foundation
import LinkProtocol
import Locking
import QuizStorage
import QuizSync
import Storage

/// Removes quizzes beyond the configured age or number, now and then.
// Proof of `@unchecked Sendable`: mutable state is used on `queue` alone.
final class QuizKeeper: @unchecked Sendable {
    /// Quizzes that are removed in one transaction. 500: the receiver waits for it a few milliseconds.
    private static let batch = 500

    private let store: any QuizStore
    private let maintenance: any QuizStoreMaintenance
    private let logger: Logger
    private let queue = DispatchQueue(label: "watchlink.quiz.keeper")
    private var retention: Retention
    private var timer: (any DispatchSourceTimer)?
    /// Read by whoever asks for the status, who must not wait for what is removed meanwhile.
    private let held = Mutex(0)

    init(store: any QuizStore, maintenance: any QuizStoreMaintenance, retention: Retention, logger: Logger) {
        self.store = store
        self.maintenance = maintenance
        self.retention = retention
        self.logger = logger
    }

    func start() { queue.async { self.arm() } }

    /// Other limits hold, from now on.
    func keep(_ retention: Retention) {
        queue.async { [self] in
            self.retention = retention
            arm()
        }
    }

    /// Quizzes that are too old by the clock alone, and wait for a person's word.
    var heldBack: Int { held.withLock { $0 } }

    /// A person says that the clock is right: what is too old goes.
    ///
    /// - Parameter progress: Called with how many went so far.
    /// - Returns: How many went.
    func expireConfirmed(progress: (Int) -> Void = { _ in }) throws(DatabaseError) -> Int {
        try queue.sync {
            Result { () throws(DatabaseError) in try expire(isConfirmed: true, progress: progress) }
        }.get()
    }

    /// Without limits there is nothing to wake up for.
    private func arm() {
        timer?.cancel()
        timer = nil
        held.withLock { $0 = 0 }
        guard retention.isLimited else { return }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: Retention.period.inSeconds, leeway: .seconds(10))
        source.setEventHandler { [weak self] in self?.run() }
        source.resume()
        timer = source
    }

    private func run() {
        do throws(DatabaseError) {
            _ = try expire(isConfirmed: false)
        } catch {
            // The database has logged why; the next period tries again.
        }
    }

    private func expire(isConfirmed: Bool, progress: (Int) -> Void = { _ in }) throws(DatabaseError) -> Int {
        let plan = try retention.plan(at: Date(), isConfirmed: isConfirmed) { time throws(DatabaseError) in
            try maintenance.ages(before: time)
        }
        var total = 0
        while true {
            let expired = try store.expire(
                receivedBefore: plan.oldest, keeping: retention.count > 0 ? retention.count : nil, limit: Self.batch)
            total += expired.count
            progress(total)
            guard expired.count == Self.batch else { break }
        }
        if total > 0 { logger.log(.quizzesExpired, [.count(total)]) }
        // Each number is told once.
        let told = held.withLock { $0 }
        if plan.heldBack > 0, plan.heldBack != told {
            logger.log(
                .quizzesHeldBack,
                [
                    .count(plan.heldBack),
                    .reason(
                        "they are too old by this clock, and too many or too far from the newest one to go without a person's "
                            + "word; if the clock is right: watchlink quizzes expire"),
                ])
        }
        held.withLock { $0 = plan.heldBack }
        return total
    }
}
