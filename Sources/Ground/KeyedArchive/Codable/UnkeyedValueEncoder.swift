/// A container that encodes into an array.
struct UnkeyedValueEncoder: UnkeyedEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    func encodeNil() { encoder.node.append(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.node.append(try encoder.encode(value, at: IndexKey(count)))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
        ValueEncoder(encoder.path.nested(IndexKey(count)), encoder.userInfo, encoder.node.appendNode())
    }
}
