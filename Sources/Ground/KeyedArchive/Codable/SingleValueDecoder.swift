/// A container that decodes one value in place of the decoder's own.
struct SingleValueDecoder: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.context.isNil(decoder.tree) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let path = try decoder.path.appending(nil)
        return try ValueDecoder(decoder.tree, path, decoder.context).decode(type)
    }
}
