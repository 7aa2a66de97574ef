extension Array where Element: Equatable {
    /// Returns the first position at which two arrays differ, with the element of each; nil for one that has ended there.
    func firstDifference(from other: [Element]) -> (Int, Element?, Element?)? {
        let shared = zip(self, other).enumerated().first { $0.element.0 != $0.element.1 }
        if let shared { return (shared.offset, shared.element.0, shared.element.1) }
        guard count != other.count else { return nil }
        let index = Swift.min(count, other.count)
        return (index, index < count ? self[index] : nil, index < other.count ? other[index] : nil)
    }
}
