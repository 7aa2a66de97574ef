extension ParsedOptions {
    /// Returns the range of seeds given by “--seeds A...B”.
    ///
    /// - Parameter usual: The default in the same notation, also used as the example in the error.
    /// - Throws: A ``UsageError`` if the value is not a range.
    public func seeds(usual: String) throws(UsageError) -> ClosedRange<UInt64> {
        let text = self["seeds"] ?? usual
        let bounds = text.split(separator: ".", omittingEmptySubsequences: true).map { UInt64($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
            throw UsageError("--seeds \(text): it must be a range such as \(usual)")
        }
        return first...last
    }
}
