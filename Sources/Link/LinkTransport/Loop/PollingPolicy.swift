import LinkProtocol

/// The choice of an idle loop's thread between polling and sleeping.
///
/// Waking a thread on a sleeping processor takes longer than everything else in a message's delivery. In a brisk
/// exchange the thread therefore polls around the time when the next message is expected, which is after a pause as
/// long as the last one. Until shortly before, it naps.
struct PollingPolicy {
    /// The longest pause of a brisk exchange. 500 µs: twice the time a message takes to the disk and back.
    static let briskPause = Duration.microseconds(500)
    /// The tolerance around the expected time. 100 µs: twice the time to wake a thread on a virtual machine, and most
    /// of the variation between commits.
    static let margin = Duration.microseconds(100)

    /// The expected pause; nil if the thread should sleep immediately.
    private var expectedPause: Duration?

    /// The time to sleep before polling; nil for none.
    var nap: Duration? {
        guard let expectedPause, expectedPause > Self.margin else { return nil }
        return expectedPause - Self.margin
    }

    /// Decides whether to keep polling while nothing happens.
    ///
    /// - Parameter time: The time since the thread became idle.
    /// - Returns: True to poll again, false to sleep.
    func looksOn(after time: Duration) -> Bool {
        guard let expectedPause else { return false }
        return time < expectedPause + Self.margin
    }

    /// Records the end of a pause.
    ///
    /// - Parameter inVain: True if polling ended without an event. The next pause is then not polled, so that at worst
    ///   half of the polling is wasted.
    mutating func paused(_ pause: Duration, inVain: Bool) {
        expectedPause = inVain || pause > Self.briskPause ? nil : pause
    }
}
