/// The keys that lead to a value, made into an array only when somebody asks for it.
final class CodingPath: Sendable {
    private let parent: CodingPath?
    private let key: (any CodingKey)?
    private let depth: Int
    private let limit: Int

    /// The path of the top.
    ///
    /// - Parameter limit: how deep values may be nested.
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

    /// - Parameter key: nil for a value in the place of another.
    func appending(_ key: (any CodingKey)?) throws(ArchiveError) -> CodingPath {
        guard depth < limit else {
            throw ArchiveError(
                .limitExceeded, "nested deeper than \(limit)", keyPath: keys.map(\.stringValue).joined(separator: "."))
        }
        return nested(key)
    }

    /// The same without a check, for a container that is asked for: what is put into it is checked.
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
