import Cassettes

/// The structure of a redacted content at one place.
enum Shape {
    case leaf(Leaf)
    case list([RedactedValue])
    /// A dictionary, or an object of a class.
    case keys([String: RedactedValue], className: String?)
    /// A document in data or in a text, a set, or a number that is an object.
    case wrapped(String, RedactedValue)

    init(_ value: RedactedValue) {
        switch value {
        case .leaf(let text): self = .leaf(Leaf(text))
        case .list(let elements): self = .list(elements)
        case .entries(let entries):
            if entries.count == 1, let (key, inner) = entries.first, key.hasPrefix("~"), key != RedactedValue.classKey {
                self = .wrapped(key, inner)
                return
            }
            var plain = entries
            let name: String? =
                if case .leaf(let text) = plain.removeValue(forKey: RedactedValue.classKey) {
                    Leaf(text).value ?? text
                } else {
                    nil
                }
            self = .keys(plain, className: name)
        }
    }

    /// The type in words.
    var type: String {
        switch self {
        case .leaf(let leaf):
            switch leaf.type {
            case "uuid": "UUID in a text"
            case "identifier": "UUID"
            default: leaf.type
            }
        case .list: "list"
        case .keys(_, let name): name == nil ? "dictionary" : "object"
        case .wrapped(RedactedValue.setKey, _): "set"
        case .wrapped(RedactedValue.archiveKey, _): "keyed archive"
        case .wrapped(RedactedValue.propertyListKey, _): "property list in data"
        case .wrapped(RedactedValue.jsonKey, _): "JSON in data"
        case .wrapped(RedactedValue.jsonTextKey, _): "JSON in a text"
        case .wrapped(RedactedValue.base64Key, let inner):
            Shape(inner).type.replacing(" in data", with: "") + " in base64"
        case .wrapped: "number object"
        }
    }
}
