public import Foundation
import Locking

/// Closures run in the run loop's default mode.
extension RunLoop: Scheduler {
    /// The type of the scheduler's points in time.
    public typealias SchedulerTimeType = DateSchedulerTime

    /// A run loop has no options.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        // A timer wakes the run loop from any thread, and `perform` does not.
        add(at: Date(), interval: 0, repeats: false, action)
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        add(at: date.date, interval: 0, repeats: false, action)
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = UncheckedBox(add(at: date.date, interval: interval.timeInterval, repeats: true, action))
        return AnyCancellable { timer.value.invalidate() }
    }

    @discardableResult
    private func add(at date: Date, interval: TimeInterval, repeats: Bool, _ action: @escaping () -> Void) -> Timer {
        let work = UncheckedBox(action)
        let timer = Timer(fire: date, interval: interval, repeats: repeats) { _ in work.value() }
        add(timer, forMode: .default)
        return timer
    }
}
