import LinkProtocol

/// Whether a loop's thread that has nothing to do looks out for what comes next, again and again, or sleeps at once.
///
/// To wake a thread on a processor that sleeps as well takes longer than all else on a message's way. So in a brisk exchange
/// the thread stays awake between a message and the next, for a moment.
struct LookoutRules {
    /// How long a lookout takes at most. 50 µs: what it takes to wake a thread on a virtual machine.
    static let patience = Duration.microseconds(50)
    /// The longest pause of a brisk exchange, with the time to wake up.
    static let briskPause = Duration.microseconds(100)

    /// Whether the next wait begins with a lookout.
    private(set) var isDue = false

    /// A lookout goes on while nothing happens.
    ///
    /// - Returns: Whether to look again; else to sleep.
    func looksOn(after time: Duration) -> Bool { time < Self.patience }

    /// The thread has slept, all in all for so long.
    ///
    /// - Parameter inVain: Whether it looked out before. Another lookout does not follow: at worst every second one is in vain.
    mutating func slept(_ pause: Duration, inVain: Bool) { isDue = !inVain && pause < Self.briskPause }
}
