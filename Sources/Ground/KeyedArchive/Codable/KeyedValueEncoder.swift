/// A container that encodes into a dictionary. One generic method replaces the protocol's overloads.
struct KeyedValueEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.node.set(.null, forKey: key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        encoder.node.set(try encoder.encode(value, at: key), forKey: key.stringValue)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(IndexKey.base) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: some CodingKey) -> ValueEncoder {
        ValueEncoder(
            encoder.path.nested(key), encoder.userInfo, encoder.node.node(forKey: key.stringValue))
    }
}
