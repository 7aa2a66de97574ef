/// The keys that lead to a value, converted to an array only on request.
final class CodingPath: Sendable {
    private let parent: CodingPath?
    private let key: (any CodingKey)?
    private let depth: Int
    private let limit: Int

    /// Creates the path of the top value.
    ///
    /// - Parameter limit: The maximum nesting of values.
    init(limit: Int) {
        (parent, key, depth) = (nil, nil, 0)
        self.limit = limit
    }

    private init(_ parent: CodingPath, _ key: (any CodingKey)?) {
        self.parent = parent
        self.key = key
        depth = parent.depth + 1
        limit = parent.limit
    }

    /// Returns the path of a nested value; throws if it is nested too deep.
    ///
    /// - Parameter key: The key of the value; nil for a value that takes the place of this one.
    func appending(_ key: (any CodingKey)?) throws(ArchiveError) -> CodingPath {
        guard depth < limit else {
            throw ArchiveError(
                .limitExceeded, "nested deeper than \(limit)", keyPath: keys.map(\.stringValue).joined(separator: "."))
        }
        return nested(key)
    }

    /// Returns the path of a nested container without a check: the values added to the container are checked.
    func nested(_ key: (any CodingKey)?) -> CodingPath { CodingPath(self, key) }

    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var place: CodingPath? = self
        while let current = place {
            if let key = current.key { keys.append(key) }
            place = current.parent
        }
        return keys.reversed()
    }
}
