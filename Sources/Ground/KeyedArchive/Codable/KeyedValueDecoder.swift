/// A container that decodes from a dictionary. One generic method replaces the protocol's overloads.
struct KeyedValueDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let entries: [String: PropertyListValue]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { entries.keys.sorted().compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { decoder.context.isNil(try part(key)) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder.decode(type, from: try part(key), at: key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nested(try part(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(try part(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        try nested(entries[IndexKey.base.stringValue] ?? .null, IndexKey.base)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nested(try part(key), key) }

    private func part(_ key: Key) throws -> PropertyListValue {
        guard let part = entries[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: codingPath, debugDescription: "no “\(key.stringValue)”"))
        }
        return part
    }

    private func nested(_ part: PropertyListValue, _ key: any CodingKey) throws -> ValueDecoder {
        ValueDecoder(part, try decoder.path.appending(key), decoder.context)
    }
}
