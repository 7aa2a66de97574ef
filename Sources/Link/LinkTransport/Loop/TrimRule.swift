/// Decides when to return memory to the system: whenever its use has fallen to half since the last time.
///
/// The allocator keeps freed memory for the next peak, which may never come. Returning it costs some milliseconds; with
/// this rule the number of times grows only with the logarithm of the peak.
package struct TrimRule {
    private let least: Int
    private var peak = 0

    /// Creates a rule.
    ///
    /// - Parameter least: The smallest peak that is worth the cost.
    package init(least: Int) { self.least = least }

    /// Records the amount in use.
    ///
    /// - Returns: True if memory should be returned.
    package mutating func changed(to amount: Int) -> Bool {
        peak = max(peak, amount)
        guard peak >= least, amount <= peak / 2 else { return false }
        peak = amount
        return true
    }
}
