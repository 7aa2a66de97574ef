/// A scheduler that runs closures at once, in the call. Times are ignored.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The scheduler has no options.
    public typealias SchedulerOptions = Never

    /// The only scheduler of this type.
    public static let shared = ImmediateScheduler()

    private init() {}

    public var now: SchedulerTimeType { SchedulerTimeType(offset: 0) }
    public var minimumTolerance: SchedulerTimeType.Stride { 0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) { action() }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        action()
    }

    /// Runs a closure once.
    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        action()
        return Subscriptions.empty
    }
}

extension ImmediateScheduler {
    /// A point in time, which the scheduler ignores.
    public struct SchedulerTimeType: Strideable, Sendable {
        let offset: Int

        public func distance(to other: SchedulerTimeType) -> Stride { Stride(other.offset - offset) }
        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(offset: offset + n.magnitude) }
    }
}

extension ImmediateScheduler.SchedulerTimeType {
    /// A time span, which the scheduler ignores.
    public struct Stride: SignedNumeric, Comparable, Sendable, ExpressibleByFloatLiteral,
        SchedulerTimeIntervalConvertible
    {
        /// The span in no particular unit.
        public var magnitude: Int

        /// Creates a span.
        public init(_ value: Int) { magnitude = value }
        public init(integerLiteral value: Int) { self.init(value) }
        public init(floatLiteral value: Double) { self.init(Int(value)) }
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let value = Int(exactly: source) else { return nil }
            self.init(value)
        }

        public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
        public static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }
        public static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }
        public static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }
        public static func += (left: inout Stride, right: Stride) { left = left + right }
        public static func -= (left: inout Stride, right: Stride) { left = left - right }
        public static func *= (left: inout Stride, right: Stride) { left = left * right }

        public static func seconds(_ s: Int) -> Stride { 0 }
        public static func seconds(_ s: Double) -> Stride { 0 }
        public static func milliseconds(_ ms: Int) -> Stride { 0 }
        public static func microseconds(_ us: Int) -> Stride { 0 }
        public static func nanoseconds(_ ns: Int) -> Stride { 0 }
    }
}
