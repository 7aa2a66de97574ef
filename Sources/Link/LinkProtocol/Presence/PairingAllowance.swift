/// The rate limit of automatic pairing: a large burst, then few per second, so that a flood cannot use up all records.
struct PairingAllowance: Equatable, Sendable {
    private var left = Double(LinkLimits.newCompanions)
    private var counted: MonotonicTime?

    /// True if another watch may pair now.
    mutating func isLeft(at time: MonotonicTime) -> Bool {
        if let counted, time > counted {
            left += time.seconds(since: counted) * Double(LinkLimits.newCompanionsPerSecond)
            left = min(left, Double(LinkLimits.newCompanions))
        }
        counted = time
        return left >= 1
    }

    /// Records a pairing.
    mutating func take() { left -= 1 }
}
