import LinkProtocol

/// The times at which a companion's attempts are due, reckoned from what happened to the former ones: a back-off of its
/// own, to hold that of the outbox to.
struct AttemptPauses {
    /// The time in which the device may be busy.
    private static let busy: Duration = .seconds(1)

    /// The failed rounds since the last success.
    private var failures = 0
    /// True if an attempt of the current round must be repeated.
    private var mustRepeat = false
    /// The end of the last round, if it failed and nothing has ended the pause after it.
    private var failedAt: MonotonicTime?

    /// The phone can be reached: what failed before says nothing about the present.
    mutating func reached() { (failures, failedAt) = (0, nil) }

    mutating func succeeded() { failures = 0 }

    mutating func failed() { mustRepeat = true }

    /// The session was activated again: what was under way, or must be repeated, begins anew.
    mutating func restarted() { mustRepeat = false }

    /// No attempt is under way any more.
    mutating func roundEnded(at time: MonotonicTime) {
        guard mustRepeat else { return }
        mustRepeat = false
        failures += 1
        failedAt = time
    }

    /// An attempt begins.
    ///
    /// - Returns: False if it is too early.
    mutating func began(at time: MonotonicTime) -> Bool {
        guard let since = failedAt.take() else { return true }
        return time >= since + Backoff.delivery.delay(afterFailures: failures, jitter: 0)
    }

    /// The time by which an attempt must begin, if payloads wait from now on.
    func deadline(at time: MonotonicTime) -> MonotonicTime {
        guard let since = failedAt else { return time + Self.busy }
        return max(time, since + Backoff.delivery.delay(afterFailures: failures, jitter: 1)) + Self.busy
    }
}
