extension PropertyListValue {
    /// Compares two trees. Each pair of collections is compared once: thirty arrays that each contain the next one
    /// twice take thirty places in memory, but a billion comparisons by reference.
    public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
        var comparison = TreeComparison()
        return comparison.areEqual(left, right)
    }
}

/// A comparison of two trees. It ends at the first difference, so pairs that were compared, or are being compared,
/// count as equal.
private struct TreeComparison {
    /// The links from collections to others that are assumed equal, by the address of their storage. They lead to the
    /// representative of all equal ones.
    private var steps: [UInt: UInt] = [:]

    mutating func areEqual(_ left: PropertyListValue, _ right: PropertyListValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.float(let left), .float(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        case (.uid(let left), .uid(let right)): left == right
        case (.array(let left), .array(let right)), (.set(let left), .set(let right)): areEqual(left, right)
        case (.dictionary(let left), .dictionary(let right)): areEqual(left, right)
        // The kinds differ.
        default: false
        }
    }

    private mutating func areEqual(_ left: [PropertyListValue], _ right: [PropertyListValue]) -> Bool {
        guard left.count == right.count else { return false }
        if join(StorageIdentity.of(left), StorageIdentity.of(right)) { return true }
        for (left, right) in zip(left, right) where !areEqual(left, right) { return false }
        return true
    }

    private mutating func areEqual(
        _ left: [String: PropertyListValue], _ right: [String: PropertyListValue]
    ) -> Bool {
        guard left.count == right.count else { return false }
        if join(StorageIdentity.of(left), StorageIdentity.of(right)) { return true }
        for (key, value) in left {
            guard let other = right[key], areEqual(value, other) else { return false }
        }
        return true
    }

    /// Records two collections as assumed equal.
    ///
    /// - Returns: True if they were recorded as equal before.
    private mutating func join(_ left: AnyObject?, _ right: AnyObject?) -> Bool {
        guard let left, let right else { return false }
        let (first, second) = (representative(of: UInt(identity: left)), representative(of: UInt(identity: right)))
        guard first != second else { return true }
        steps[first] = second
        return false
    }

    private mutating func representative(of identity: UInt) -> UInt {
        var identity = identity
        while let next = steps[identity] {
            // Path halving: shortens the next search.
            if let further = steps[next] { steps[identity] = further }
            identity = next
        }
        return identity
    }
}
