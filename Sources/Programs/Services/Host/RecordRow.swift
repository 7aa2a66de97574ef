import Configuration
import RecordSync

/// A record while it is encoded: the columns win over fields of the payload's document, because the columns are what the
/// store finds; another program may have changed them.
struct RecordRow: Encodable {
    let columns: [String: JSONValue]
    /// The payload whose document belongs to it; nil for the columns alone.
    let payload: (any DirectDocument)?

    func encode(to encoder: any Encoder) throws {
        try payload?.encodeDocument(to: encoder)
        var container = encoder.container(keyedBy: DocumentKey.self)
        for (name, value) in columns {
            let key = DocumentKey(name)
            // Not through the value's own coding, which costs a container for each.
            switch value {
            case .null: try container.encodeNil(forKey: key)
            case .boolean(let value): try container.encode(value, forKey: key)
            case .integer(let value): try container.encode(value, forKey: key)
            case .number(let value): try container.encode(value, forKey: key)
            case .string(let value): try container.encode(value, forKey: key)
            case .array, .object: try container.encode(value, forKey: key)
            }
        }
    }
}
