extension ParsedOptions {
    /// The seeds that “--seeds A...B” names.
    ///
    /// - Parameter usual: The words that hold where the option is not given, which are also the example of a refusal.
    public func seeds(usual: String) throws(UsageError) -> ClosedRange<UInt64> {
        let text = self["seeds"] ?? usual
        let bounds = text.split(separator: ".", omittingEmptySubsequences: true).map { UInt64($0) }
        guard bounds.count == 2, let first = bounds[0], let last = bounds[1], first <= last else {
            throw UsageError("--seeds \(text): say it as \(usual)")
        }
        return first...last
    }
}
