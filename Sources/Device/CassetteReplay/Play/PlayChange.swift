package import Cassettes

/// A value that the counterpart plays in place of a recorded one: in one delivery or answer, at one key path.
package struct PlayChange: Equatable, Sendable {
    /// The position of the delivery or answer in the cassette.
    package let event: Int
    package let path: String
    /// The new leaf, such as `string=audiobook`.
    package let leaf: String

    package init(event: Int, path: String, leaf: String) { (self.event, self.path, self.leaf) = (event, path, leaf) }

    /// Returns a content with the value; in lists, with the first one that is there. Nil if it has nothing at the path.
    package func applied(to content: RedactedValue) -> RedactedValue? { applied(to: content, path[...]) }

    private func applied(to content: RedactedValue, _ path: Substring) -> RedactedValue? {
        switch content {
        case .leaf: return path.isEmpty ? .leaf(leaf) : nil
        case .list(let elements):
            guard path.hasPrefix("[]") else { return nil }
            let rest = Self.rest(path.dropFirst(2))
            for (place, element) in elements.enumerated() {
                guard let changed = applied(to: element, rest) else { continue }
                var elements = elements
                elements[place] = changed
                return .list(elements)
            }
            return nil
        case .entries(var entries):
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                // Documents and numbers that are objects add nothing to a path; names can contain dots.
                guard let rest = Self.isWrapper(key) ? path : Self.rest(path, after: key),
                    let changed = applied(to: entry, rest)
                else { continue }
                entries[key] = changed
                return .entries(entries)
            }
            return nil
        }
    }

    private static func isWrapper(_ key: String) -> Bool { key.hasPrefix("~") && key != RedactedValue.classKey }

    private static func rest(_ path: Substring, after key: String) -> Substring? {
        guard path.hasPrefix(key) else { return nil }
        let rest = path.dropFirst(key.count)
        return rest.isEmpty || rest.hasPrefix(".") || rest.hasPrefix("[]") ? Self.rest(rest) : nil
    }

    private static func rest(_ path: Substring) -> Substring { path.hasPrefix(".") ? path.dropFirst() : path }
}
