import Configuration

extension RedactedValue {
    /// Creates a content from JSON.
    ///
    /// - Returns: Nil if it contains anything but strings, lists and objects.
    init?(_ json: JSONValue) {
        switch json {
        case .string(let leaf): self = .leaf(leaf)
        case .array(let elements):
            var list: [RedactedValue] = []
            for element in elements {
                guard let value = RedactedValue(element) else { return nil }
                list.append(value)
            }
            self = .list(list)
        case .object(let object):
            var entries: [String: RedactedValue] = [:]
            for (key, element) in object {
                guard let value = RedactedValue(element) else { return nil }
                entries[key] = value
            }
            self = .entries(entries)
        case .null, .boolean, .integer, .number: return nil
        }
    }
}
