extension Dictionary {
    /// Changes a value where it lies; nil if there is none of this key. An optional chain would move the value out and back again, in
    /// four pieces of memory that are made for it.
    mutating func change<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
        guard let place = index(forKey: key) else { return nil }
        return change(&values[place])
    }
}
