import Configuration
import RecordStorage
import RecordSync
import Services

/// The columns of a record, each decoded as the type that it has: a value of an unknown type is tried as one after the
/// other, which takes ten times as long.
struct RecordColumns: DecodableWithConfiguration {
    let values: [String: JSONValue]

    init(from decoder: any Decoder, configuration fields: [ApplicationDescription.Field]) throws {
        let container = try decoder.container(keyedBy: DocumentKey.self)
        var values: [String: JSONValue] = [:]
        values.reserveCapacity(fields.count + 5)
        func add<Value: Decodable>(_ name: String, _ value: (Value) -> JSONValue) throws {
            values[name] = try container.decodeIfPresent(Value.self, forKey: DocumentKey(name)).map(value) ?? .null
        }
        for name in ["identifier", "device", "receivedAt", "updatedAt"] { try add(name, JSONValue.string) }
        try add("sequence", JSONValue.integer)
        for field in fields {
            switch field.type {
            case .text, .date: try add(field.name, JSONValue.string)
            case .integer: try add(field.name, JSONValue.integer)
            // A whole number is printed without a fraction, as in documents.
            case .real: try add(field.name) { Int64(exactly: $0).map(JSONValue.integer) ?? .number($0) }
            }
        }
        self.values = values
    }
}
