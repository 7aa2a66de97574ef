/// An exponential back-off with a maximum, and jitter so that two sides never retry in step.
public struct Backoff: Sendable, Equatable {
    /// The delay after the first failure, before jitter.
    public var initial: Duration
    /// The longest delay, before jitter.
    public var maximum: Duration

    /// The back-off between delivery attempts. Half a second gives a restarted counterpart time to answer; half a
    /// minute is short for a day's use, and cheap if the counterpart is away for a week.
    public static let delivery = Backoff(initial: .milliseconds(500), maximum: .seconds(30))

    /// Creates a back-off that doubles from `initial` up to `maximum`.
    public init(initial: Duration, maximum: Duration) {
        self.initial = initial
        self.maximum = maximum
    }

    /// Returns the delay before the next attempt.
    ///
    /// - Parameters:
    ///   - failures: The number of failed attempts, at least 1.
    ///   - jitter: A random number in 0..<1, which scales half of the delay; the other half is fixed.
    package func delay(afterFailures failures: Int, jitter: Double) -> Duration {
        // The exponent is bounded first, so that no number of failures can overflow.
        let factor = Double(1 << min(max(failures, 1) - 1, 30))
        let seconds = min(initial.inSeconds * factor, maximum.inSeconds)
        return .nanoseconds(Int64(seconds * (0.5 + jitter / 2) * 1_000_000_000))
    }
}
