import Cassettes

extension RedactedValue {
    /// The identifiers in it, as the texts by which equal ones are known, in no particular order.
    var identifiers: [String] {
        switch Shape(self) {
        case .leaf(let leaf): leaf.isIdentifier ? leaf.identity.map { [$0] } ?? [] : []
        case .list(let elements): elements.flatMap(\.identifiers)
        case .keys(let entries, _): entries.values.flatMap(\.identifiers)
        case .wrapped(_, let inner): inner.identifiers
        }
    }
}
