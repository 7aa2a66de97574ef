import Combine

/// A scheduler whose time passes only when the test says so.
final class VirtualScheduler: Scheduler {
    typealias SchedulerOptions = Never

    struct SchedulerTimeType: Strideable {
        struct Stride: SignedNumeric, Comparable, ExpressibleByFloatLiteral, SchedulerTimeIntervalConvertible {
            var magnitude: Int
            init(_ milliseconds: Int) { magnitude = milliseconds }
            init(integerLiteral value: Int) { self.init(value * 1_000) }
            init(floatLiteral value: Double) { self.init(Int(value * 1_000)) }
            init?<T: BinaryInteger>(exactly source: T) { self.init(Int(source)) }
            static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
            static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }
            static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }
            static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }
            static func *= (left: inout Stride, right: Stride) { left = left * right }
            static func seconds(_ s: Int) -> Stride { Stride(s * 1_000) }
            static func seconds(_ s: Double) -> Stride { Stride(Int(s * 1_000)) }
            static func milliseconds(_ ms: Int) -> Stride { Stride(ms) }
            static func microseconds(_ us: Int) -> Stride { Stride(us / 1_000) }
            static func nanoseconds(_ ns: Int) -> Stride { Stride(ns / 1_000_000) }
        }

        let milliseconds: Int
        func distance(to other: SchedulerTimeType) -> Stride { Stride(other.milliseconds - milliseconds) }
        func advanced(by n: Stride) -> SchedulerTimeType {
            SchedulerTimeType(milliseconds: milliseconds + n.magnitude)
        }
    }

    private struct Job {
        let number: Int
        let time: Int
        let interval: Int?
        let action: () -> Void
    }

    private(set) var now = SchedulerTimeType(milliseconds: 0)
    private var jobs: [Job] = []
    private var last = 0

    var minimumTolerance: SchedulerTimeType.Stride { .milliseconds(0) }
    /// The number of closures that wait.
    var count: Int { jobs.count }

    func schedule(options: Never?, _ action: @escaping () -> Void) { _ = add(now.milliseconds, nil, action) }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
        _ action: @escaping () -> Void
    ) {
        _ = add(date.milliseconds, nil, action)
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let number = add(date.milliseconds, interval.magnitude, action)
        return AnyCancellable { [weak self] in self?.jobs.removeAll { $0.number == number } }
    }

    /// Runs what is due until the time has passed.
    func advance(milliseconds: Int = 0) {
        let end = now.milliseconds + milliseconds
        while let job = jobs.min(by: { ($0.time, $0.number) < ($1.time, $1.number) }), job.time <= end {
            jobs.removeAll { $0.number == job.number }
            now = SchedulerTimeType(milliseconds: max(now.milliseconds, job.time))
            if let interval = job.interval {
                jobs.append(Job(number: job.number, time: job.time + interval, interval: interval, action: job.action))
            }
            job.action()
        }
        now = SchedulerTimeType(milliseconds: end)
    }

    private func add(_ time: Int, _ interval: Int?, _ action: @escaping () -> Void) -> Int {
        last += 1
        jobs.append(Job(number: last, time: time, interval: interval, action: action))
        return last
    }
}
