import Cassettes

extension RedactedValue {
    /// The content with one type for all numbers of JSON documents, which write 5.0 as 5.
    var withJSONNumbers: RedactedValue { withNumbers(isJSON: false) }

    private func withNumbers(isJSON: Bool) -> RedactedValue {
        switch self {
        case .leaf(let text):
            let type = text.prefix { $0 != "~" && $0 != "=" }
            return isJSON && (type == "integer" || type == "real") ? .leaf("number" + text[type.endIndex...]) : self
        case .list(let elements): return .list(elements.map { $0.withNumbers(isJSON: isJSON) })
        case .entries(let entries):
            return .entries(
                Dictionary(
                    uniqueKeysWithValues: entries.map { key, entry in
                        let isInner = isJSON || key == Self.jsonKey || key == Self.jsonTextKey
                        return (key, entry.withNumbers(isJSON: isInner))
                    }))
        }
    }
}
