/// A point in time on the monotonic clock. Elapsed time is measured only with it: the wall clock, which people and time
/// servers adjust, is used for timestamps.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    /// Nanoseconds since an arbitrary start.
    public let nanoseconds: Int64

    /// Creates a point in time from nanoseconds since the clock's start.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Returns true if `left` is earlier.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Returns the time after a duration has elapsed.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds &+ duration.wholeNanoseconds)
    }

    /// Returns the seconds from `earlier` to this time; avoids the 128-bit `Duration`, as every message is measured.
    package func seconds(since earlier: MonotonicTime) -> Double {
        Double(nanoseconds - earlier.nanoseconds) / 1_000_000_000
    }

    /// Returns the time elapsed between two points.
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension MonotonicTime? {
    /// Sets the deadline to `other` if that is earlier. Nil means no deadline, on either side.
    package mutating func bringForward(to other: MonotonicTime?) {
        guard let other else { return }
        self = self.map { min($0, other) } ?? other
    }
}

extension Duration {
    package var wholeNanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }

    package var inSeconds: Double { Double(wholeNanoseconds) / 1_000_000_000 }
}
