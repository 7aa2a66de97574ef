/// Decides when memory is given back to the system: whenever half of what held it is gone since the last time.
///
/// The allocator keeps what is freed for the next peak, which may never come. Giving it back costs some milliseconds, so a
/// decline of any size pays for a few times at most: the number of times grows with the logarithm of the peak.
package struct TrimRule {
    private let least: Int
    private var peak = 0

    /// - Parameter least: A peak below this is not worth the work.
    package init(least: Int) { self.least = least }

    /// So much is held now.
    ///
    /// - Returns: Whether to give memory back.
    package mutating func changed(to amount: Int) -> Bool {
        peak = max(peak, amount)
        guard peak >= least, amount <= peak / 2 else { return false }
        peak = amount
        return true
    }
}
