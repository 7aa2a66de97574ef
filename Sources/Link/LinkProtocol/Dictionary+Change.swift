extension Dictionary {
    /// Changes a value in place. An optional chain would move the value out and back, at the cost of four allocations.
    ///
    /// - Returns: Nil if the key is missing.
    mutating func change<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
        guard let place = index(forKey: key) else { return nil }
        return change(&values[place])
    }
}
