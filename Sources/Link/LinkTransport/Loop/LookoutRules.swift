import LinkProtocol

/// Whether a loop's thread that has nothing to do looks out for what comes next, again and again, or sleeps at once.
///
/// To wake a thread on a processor that sleeps as well takes longer than all else on a message's way. So in a brisk exchange
/// the thread is awake when the next message should come, which is after a pause like the last one. Until shortly before, it
/// naps.
struct LookoutRules {
    /// The longest pause of a brisk exchange. 500 µs: twice what a message takes to the disk and back.
    static let briskPause = Duration.microseconds(500)
    /// How much sooner or later than expected a message is met. 100 µs: twice what it takes to wake a thread on a virtual
    /// machine, and most of what one commit differs from another.
    static let margin = Duration.microseconds(100)

    /// How long nothing should happen; nil where the thread sleeps at once.
    private var expectedPause: Duration?

    /// How long to sleep before the lookout, if nothing happens; nil for not at all.
    var nap: Duration? {
        guard let expectedPause, expectedPause > Self.margin else { return nil }
        return expectedPause - Self.margin
    }

    /// A lookout goes on while nothing happens.
    ///
    /// - Parameter time: Since there was nothing to do.
    /// - Returns: Whether to look again; else to sleep.
    func looksOn(after time: Duration) -> Bool {
        guard let expectedPause else { return false }
        return time < expectedPause + Self.margin
    }

    /// Something has happened.
    ///
    /// - Parameter inVain: Whether a lookout ended before. Another one does not follow: at worst every second one is in vain.
    mutating func paused(_ pause: Duration, inVain: Bool) {
        expectedPause = inVain || pause > Self.briskPause ? nil : pause
    }
}
