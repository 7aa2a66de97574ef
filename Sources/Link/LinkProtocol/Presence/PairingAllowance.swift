/// How many watches may still pair by themselves: many at once, few for long. A flood of them must not take the places of all that
/// ever come.
struct PairingAllowance: Sendable {
    private var left = Double(LinkLimits.newCompanions)
    private var counted: MonotonicTime?

    /// Whether one more may pair now.
    mutating func isLeft(at time: MonotonicTime) -> Bool {
        if let counted, time > counted {
            left += time.seconds(since: counted) * Double(LinkLimits.newCompanionsPerSecond)
            left = min(left, Double(LinkLimits.newCompanions))
        }
        counted = time
        return left >= 1
    }

    /// One has paired.
    mutating func take() { left -= 1 }
}
