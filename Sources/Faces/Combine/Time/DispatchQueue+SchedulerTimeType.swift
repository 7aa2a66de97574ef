public import Dispatch

extension DispatchQueue {
    /// A point in time of a dispatch queue.
    public struct SchedulerTimeType: Strideable, Hashable, Sendable {
        /// The point in time.
        public var dispatchTime: DispatchTime

        /// Creates a point in time.
        public init(_ time: DispatchTime) { dispatchTime = time }

        public func distance(to other: SchedulerTimeType) -> Stride {
            let (from, to) = (dispatchTime.uptimeNanoseconds, other.dispatchTime.uptimeNanoseconds)
            return to >= from ? .nanoseconds(Int(clamping: to - from)) : .nanoseconds(-Int(clamping: from - to))
        }

        public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(dispatchTime + n.timeInterval) }

        public func hash(into hasher: inout Hasher) { hasher.combine(dispatchTime.rawValue) }
    }
}

extension DispatchQueue.SchedulerTimeType {
    /// A time span of a dispatch queue, in nanoseconds.
    public struct Stride: SignedNumeric, Comparable, Hashable, Sendable, ExpressibleByFloatLiteral,
        SchedulerTimeIntervalConvertible
    {
        /// The number of nanoseconds.
        public var magnitude: Int

        private init(nanoseconds: Int) { magnitude = nanoseconds }

        /// Creates a span.
        public init(_ timeInterval: DispatchTimeInterval) {
            switch timeInterval {
            case .seconds(let count): self = .seconds(count)
            case .milliseconds(let count): self = .milliseconds(count)
            case .microseconds(let count): self = .microseconds(count)
            case .nanoseconds(let count): self = .nanoseconds(count)
            case .never: self.init(nanoseconds: .max)
            @unknown default: self.init(nanoseconds: .max)
            }
        }

        /// Creates a span of seconds.
        public init(integerLiteral value: Int) { self = .seconds(value) }
        /// Creates a span of seconds.
        public init(floatLiteral value: Double) { self = .seconds(value) }
        /// Creates a span of nanoseconds.
        public init?<T: BinaryInteger>(exactly source: T) {
            guard let value = Int(exactly: source) else { return nil }
            self.init(nanoseconds: value)
        }

        /// The span as Dispatch spells it.
        public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

        public static func < (left: Stride, right: Stride) -> Bool { left.magnitude < right.magnitude }
        public static func + (left: Stride, right: Stride) -> Stride {
            .nanoseconds(clamped(left.magnitude.addingReportingOverflow(right.magnitude), isNegative: left < 0))
        }
        public static func - (left: Stride, right: Stride) -> Stride {
            .nanoseconds(clamped(left.magnitude.subtractingReportingOverflow(right.magnitude), isNegative: left < 0))
        }
        public static func * (left: Stride, right: Stride) -> Stride {
            product(left.magnitude, right.magnitude)
        }
        public static func += (left: inout Stride, right: Stride) { left = left + right }
        public static func -= (left: inout Stride, right: Stride) { left = left - right }
        public static func *= (left: inout Stride, right: Stride) { left = left * right }

        public static func seconds(_ s: Int) -> Stride { product(s, 1_000_000_000) }
        public static func seconds(_ s: Double) -> Stride {
            let nanoseconds = (s * 1_000_000_000).rounded()
            return .nanoseconds(Int(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
        }
        public static func milliseconds(_ ms: Int) -> Stride { product(ms, 1_000_000) }
        public static func microseconds(_ us: Int) -> Stride { product(us, 1_000) }
        public static func nanoseconds(_ ns: Int) -> Stride { Stride(nanoseconds: ns) }

        private static func product(_ left: Int, _ right: Int) -> Stride {
            Stride(
                nanoseconds: clamped(left.multipliedReportingOverflow(by: right), isNegative: (left < 0) != (right < 0))
            )
        }

        private static func clamped(_ result: (partialValue: Int, overflow: Bool), isNegative: Bool) -> Int {
            result.overflow ? (isNegative ? .min : .max) : result.partialValue
        }
    }
}
