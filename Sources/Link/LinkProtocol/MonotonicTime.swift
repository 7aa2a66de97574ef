/// A point on the monotonic clock, in nanoseconds since an arbitrary start. Elapsed time is measured with it alone: the
/// wall clock, which people and time servers move, only stamps.
public struct MonotonicTime: Comparable, Hashable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        MonotonicTime(nanoseconds: time.nanoseconds &+ duration.wholeNanoseconds)
    }

    /// Seconds from another point to this one; without the 128 bits of a `Duration`, for what every message measures.
    package func seconds(since earlier: MonotonicTime) -> Double {
        Double(nanoseconds - earlier.nanoseconds) / 1_000_000_000
    }

    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        .nanoseconds(later.nanoseconds - earlier.nanoseconds)
    }
}

extension MonotonicTime? {
    /// Takes another deadline if that is earlier. Nil stands for no deadline, on either side.
    package mutating func bringForward(to other: MonotonicTime?) {
        guard let other else { return }
        self = self.map { min($0, other) } ?? other
    }
}

extension Duration {
    package var wholeNanoseconds: Int64 { Int64(attoseconds / 1_000_000_000) }

    package var inSeconds: Double { Double(wholeNanoseconds) / 1_000_000_000 }
}
