/// A container that encodes one value in place of the encoder's own.
struct SingleValueEncoder: SingleValueEncodingContainer {
    let encoder: ValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.node.set(.null) }

    func encode<Value: Encodable>(_ value: Value) throws {
        encoder.node.set(try ValueEncoder(try encoder.path.appending(nil), encoder.userInfo).encode(value))
    }
}
