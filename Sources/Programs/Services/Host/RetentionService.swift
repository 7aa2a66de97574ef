import EventLog
import Foundation
import LinkProtocol
import Locking
import RecordSync

/// Periodically removes records beyond the configured age or number.
// Proof of `@unchecked Sendable`: mutable state is used on `queue` alone.
final class RetentionService: @unchecked Sendable {
    /// The records removed in one transaction. 500: it delays the receiver by a few milliseconds.
    private static let batch = 500

    private let application: RecordApplication
    private let store: any RecordStore
    private let logger: Logger
    private let queue = DispatchQueue(label: "watchlink.keeper")
    private var retention: Retention
    private var timer: (any DispatchSourceTimer)?
    /// Outside the queue, so that a status request does not wait for a removal.
    private let held = Mutex(0)

    init(of application: RecordApplication, store: any RecordStore, retention: Retention, logger: Logger) {
        self.application = application
        self.store = store
        self.retention = retention
        self.logger = logger
    }

    func start() { queue.async { self.arm() } }

    /// Applies new limits.
    func keep(_ retention: Retention) {
        queue.async { [self] in
            self.retention = retention
            arm()
        }
    }

    /// The number of records that are too old only by the clock and await an operator's confirmation.
    var heldBack: Int { held.withLock { $0 } }

    /// Removes all records that are too old, after an operator confirmed the clock.
    ///
    /// - Parameter progress: Called with the number removed so far.
    /// - Returns: The number of removed records.
    func expireConfirmed(progress: (Int) -> Void = { _ in }) throws(StoreError) -> Int {
        try queue.sync {
            Result { () throws(StoreError) in try expire(isConfirmed: true, progress: progress) }
        }.get()
    }

    /// Starts the timer, or stops it if there are no limits.
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
        do throws(StoreError) {
            _ = try expire(isConfirmed: false)
        } catch {
            // The database has logged the error; the next period retries.
        }
    }

    private func expire(isConfirmed: Bool, progress: (Int) -> Void = { _ in }) throws(StoreError) -> Int {
        let plan = try retention.plan(at: Date(), isConfirmed: isConfirmed) { time throws(StoreError) in
            try store.ages(before: time)
        }
        var total = 0
        while true {
            let expired = try store.expire(
                receivedBefore: plan.oldest, keeping: retention.count > 0 ? retention.count : nil, limit: Self.batch)
            total += expired.count
            progress(total)
            guard expired.count == Self.batch else { break }
        }
        if total > 0 { logger.log(application.events.expired, [.count(total)]) }
        // Each number is logged once.
        let told = held.withLock { $0 }
        if plan.heldBack > 0, plan.heldBack != told {
            logger.log(
                application.events.heldBack,
                [
                    .count(plan.heldBack),
                    .reason(
                        "too old by this clock, but too many or too far from the newest arrival to be removed without "
                            + "confirmation; if the clock is right: watchlink \(application.kind.plural) expire"),
                ])
        }
        held.withLock { $0 = plan.heldBack }
        return total
    }
}
