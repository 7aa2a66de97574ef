import EventLog
import Foundation
import LinkProtocol
import QuizSync
import Storage

/// Removes quizzes beyond the configured age or number, now and then.
// Proof of `@unchecked Sendable`: mutable state is used on `queue` alone.
final class QuizKeeper: @unchecked Sendable {
    /// Quizzes that are removed in one transaction. 500: the receiver waits for it a few milliseconds.
    private static let batch = 500

    private let store: any QuizStore
    private let logger: Logger
    private let queue = DispatchQueue(label: "watchlink.quiz.keeper")
    private var retention: Retention
    private var timer: (any DispatchSourceTimer)?

    init(store: any QuizStore, retention: Retention, logger: Logger) {
        self.store = store
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

    /// Without limits there is nothing to wake up for.
    private func arm() {
        timer?.cancel()
        timer = nil
        guard retention.isLimited else { return }
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now(), repeating: Retention.period.inSeconds, leeway: .seconds(10))
        source.setEventHandler { [weak self] in self?.expire() }
        source.resume()
        timer = source
    }

    private func expire() {
        let oldest = retention.oldest(at: Date())
        do {
            var total = 0
            while true {
                let expired = try store.expire(
                    receivedBefore: oldest, keeping: retention.count > 0 ? retention.count : nil, limit: Self.batch)
                total += expired.count
                guard expired.count == Self.batch else { break }
            }
            if total > 0 { logger.log(.quizzesExpired, [.count(total)]) }
        } catch {
            logger.log(.databaseUnavailable, [.error(error)])
        }
    }
}
