extension PropertyListValue {
    /// Whether two trees hold the same. Each pair of collections is compared once: thirty arrays that each hold the next one twice
    /// are thirty places in memory, and a billion to who follows each reference.
    public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
        var comparison = TreeComparison()
        return comparison.areEqual(left, right)
    }
}

/// Compares two trees. The first difference ends it, so that what was compared, or is being compared, may be taken as equal.
private struct TreeComparison {
    /// For collections that were taken as equal to another, by the address of their memory: a step towards the one that stands
    /// for all of them.
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
        // Of different kinds.
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

    /// Takes two collections as equal.
    ///
    /// - Returns: whether they were taken as equal before.
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
            // Halves the way for whoever comes next.
            if let further = steps[next] { steps[identity] = further }
            identity = next
        }
        return identity
    }
}
