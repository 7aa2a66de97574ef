/// How long to wait before the next try: longer each time, up to a bound, and never two sides in step.
public struct Backoff: Sendable, Equatable {
    public var initial: Duration
    public var maximum: Duration

    /// Between the tries of one delivery. Half a second lets a counterpart that has just restarted answer; half a minute is short
    /// against a day's use, and cheap for a counterpart that is away for a week.
    public static let delivery = Backoff(initial: .milliseconds(500), maximum: .seconds(30))

    public init(initial: Duration, maximum: Duration) {
        self.initial = initial
        self.maximum = maximum
    }

    /// - Parameters:
    ///   - failures: How many tries have failed, at least 1.
    ///   - jitter: A random number in 0..<1, from the driver. Half of the delay is fixed, half follows it.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        // Doubling is bounded first, so that no number of failures can overflow.
        let factor = Double(1 << min(max(failures, 1) - 1, 30))
        let seconds = min(initial.inSeconds * factor, maximum.inSeconds)
        return .nanoseconds(Int64(seconds * (0.5 + jitter / 2) * 1_000_000_000))
    }
}
