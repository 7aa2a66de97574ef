import Dispatch
public import Foundation
import Locking

extension OperationQueue: Scheduler {
    /// The type of the scheduler's points in time.
    public typealias SchedulerTimeType = DateSchedulerTime

    /// An operation queue has no options.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        let work = UncheckedBox(action)
        addOperation { work.value() }
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let (work, queue) = (UncheckedBox(action), UncheckedBox(self))
        DispatchQueue.global().asyncAfter(deadline: Self.deadline(date)) { queue.value.addOperation { work.value() } }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let (work, queue) = (UncheckedBox(action), UncheckedBox(self))
        let source = DispatchSource.makeTimerSource()
        source.schedule(deadline: Self.deadline(date), repeating: interval.timeInterval)
        source.setEventHandler { queue.value.addOperation { work.value() } }
        source.resume()
        return AnyCancellable { source.cancel() }
    }

    private static func deadline(_ date: SchedulerTimeType) -> DispatchTime { .now() + date.date.timeIntervalSinceNow }
}
