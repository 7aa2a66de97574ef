extension ParsedOptions {
    /// Returns an option's value as a number.
    ///
    /// - Parameter usual: The value if the option is not given.
    /// - Throws: A ``UsageError`` if the value is not a number within `range`.
    public func number<Number: LosslessStringConvertible & Comparable>(
        _ name: String, _ usual: Number, within range: ClosedRange<Number>
    ) throws(UsageError) -> Number {
        guard let text = self[name] else { return usual }
        guard let number = Number(text), range.contains(number) else {
            throw UsageError("--\(name) \(text): it must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
