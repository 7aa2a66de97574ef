extension Array {
    /// Returns these elements and then others, without a copy where there are none of the one or the other, as is mostly
    /// the case for the actions of two steps.
    consuming func followed(by others: consuming [Element]) -> [Element] {
        guard !isEmpty else { return others }
        guard !others.isEmpty else { return self }
        append(contentsOf: others)
        return self
    }
}
