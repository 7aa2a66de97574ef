import Dispatch
public import Foundation
import Locking

/// Closures run in the run loop's default mode. While nothing runs the main run loop, as in programs with an
/// asynchronous `main`, they run on the main queue: on Apple's platforms such programs run the main run loop, too.
extension RunLoop: Scheduler {
    /// The type of the scheduler's points in time.
    public typealias SchedulerTimeType = DateSchedulerTime

    /// A run loop has no options.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        guard isServed else { return DispatchQueue.main.schedule(action) }
        // A timer wakes the run loop from any thread, and `perform` does not.
        add(at: Date(), interval: 0, repeats: false, action)
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        guard isServed else { return DispatchQueue.main.schedule(after: Self.time(date), action) }
        add(at: date.date, interval: 0, repeats: false, action)
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        guard isServed else {
            let spacing = DispatchQueue.SchedulerTimeType.Stride.seconds(interval.timeInterval)
            return DispatchQueue.main.schedule(after: Self.time(date), interval: spacing, action)
        }
        let timer = UncheckedBox(add(at: date.date, interval: interval.timeInterval, repeats: true, action))
        return AnyCancellable { timer.value.invalidate() }
    }

    /// True if the run loop runs, or will when its thread lets it.
    var isServed: Bool { self !== RunLoop.main || currentMode != nil }

    private static func time(_ date: SchedulerTimeType) -> DispatchQueue.SchedulerTimeType {
        DispatchQueue.SchedulerTimeType(.now() + date.date.timeIntervalSinceNow)
    }

    @discardableResult
    private func add(at date: Date, interval: TimeInterval, repeats: Bool, _ action: @escaping () -> Void) -> Timer {
        let work = UncheckedBox(action)
        let timer = Timer(fire: date, interval: interval, repeats: repeats) { _ in work.value() }
        add(timer, forMode: .default)
        return timer
    }
}
