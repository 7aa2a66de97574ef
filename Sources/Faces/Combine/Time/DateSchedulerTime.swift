public import Foundation

/// A point in time of a run loop or an operation queue.
public struct DateSchedulerTime: Strideable, Hashable, Sendable {
    /// The point in time.
    public var date: Date

    /// Creates a point in time.
    public init(_ date: Date) { self.date = date }

    public func distance(to other: DateSchedulerTime) -> Stride { Stride(other.date.timeIntervalSince(date)) }
    public func advanced(by n: Stride) -> DateSchedulerTime { DateSchedulerTime(date.addingTimeInterval(n.magnitude)) }
}

extension DateSchedulerTime {
    /// A time span in seconds.
    public struct Stride: SignedNumeric, Comparable, Hashable, Sendable, ExpressibleByFloatLiteral,
        SchedulerTimeIntervalConvertible
    {
        /// The number of seconds.
        public var magnitude: TimeInterval

        /// Creates a span of seconds.
        public init(_ timeInterval: TimeInterval) { magnitude = timeInterval }
        public init(integerLiteral value: TimeInterval) { self.init(value) }
        public init(floatLiteral value: TimeInterval) { self.init(value) }
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let value = TimeInterval(exactly: source) else { return nil }
            self.init(value)
        }

        /// The number of seconds.
        public var timeInterval: TimeInterval { magnitude }

        public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
        public static func + (left: Stride, right: Stride) -> Stride { Stride(left.magnitude + right.magnitude) }
        public static func - (left: Stride, right: Stride) -> Stride { Stride(left.magnitude - right.magnitude) }
        public static func * (left: Stride, right: Stride) -> Stride { Stride(left.magnitude * right.magnitude) }
        public static func += (left: inout Stride, right: Stride) { left = left + right }
        public static func -= (left: inout Stride, right: Stride) { left = left - right }
        public static func *= (left: inout Stride, right: Stride) { left = left * right }

        public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }
        public static func seconds(_ s: Double) -> Stride { Stride(s) }
        public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1_000) }
        public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1_000_000) }
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1_000_000_000) }
    }
}
