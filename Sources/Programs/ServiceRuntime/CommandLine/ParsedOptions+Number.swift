extension ParsedOptions {
    /// The number that an option has.
    ///
    /// - Parameter usual: Without the option.
    public func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, _ usual: Number, within range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let text = self[name] else { return usual }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError("--\(name) \(text): it must be one of \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
