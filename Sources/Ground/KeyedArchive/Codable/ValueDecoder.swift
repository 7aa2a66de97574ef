/// A decoder of one value of a tree.
struct ValueDecoder: Decoder {
    let tree: PropertyListValue
    let path: CodingPath
    let context: DecodingContext

    init(_ tree: PropertyListValue, _ path: CodingPath, _ context: DecodingContext) {
        self.tree = tree
        self.path = path
        self.context = context
    }

    var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

    var codingPath: [any CodingKey] { path.keys }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let entries) = tree else { throw mismatch([String: PropertyListValue].self) }
        try context.visit(StorageIdentity.of(entries), count: entries.count)
        return KeyedDecodingContainer(KeyedValueDecoder<Key>(decoder: self, entries: entries))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        switch tree {
        case .array(let elements), .set(let elements):
            try context.visit(StorageIdentity.of(elements), count: elements.count)
            return UnkeyedValueDecoder(decoder: self, elements: elements)
        case .null, .boolean, .integer, .unsigned, .float, .real, .date, .data, .string, .uid, .dictionary:
            throw mismatch([PropertyListValue].self)
        }
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { SingleValueDecoder(decoder: self) }

    /// Decodes the tree.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let value = try scalar(tree, type, path) { return value }
        return try type.init(from: self)
    }

    /// Decodes a part of the tree.
    func decode<Value: Decodable>(
        _ type: Value.Type, from part: PropertyListValue, at key: @autoclosure () -> any CodingKey
    ) throws -> Value {
        // The path costs more than a number, and is rarely needed.
        if let value = Self.usual(part, type) { return value }
        let path = try path.appending(key())
        if let value = try scalar(part, type, path) { return value }
        return try type.init(from: ValueDecoder(part, path, context))
    }

    /// Decodes the usual types by their exact type: a cast to a protocol costs more than all the rest.
    private static func usual<Value>(_ part: PropertyListValue, _ type: Value.Type) -> Value? {
        switch part {
        case .integer(let number):
            guard type == Int.self, let number = Int(exactly: number) else { return nil }
            return unsafeBitCast(number, to: type)
        case .string(let text): return type == String.self ? unsafeBitCast(text, to: type) : nil
        case .real(let number): return type == Double.self ? unsafeBitCast(number, to: type) : nil
        case .boolean(let flag): return type == Bool.self ? unsafeBitCast(flag, to: type) : nil
        case .null, .unsigned, .float, .date, .data, .uid, .array, .set, .dictionary: return nil
        }
    }

    private func scalar<Value>(
        _ part: PropertyListValue, _ type: Value.Type, _ path: CodingPath
    ) throws -> Value? {
        guard let scalar = type as? any CodableScalar.Type else { return nil }
        guard let value = scalar.init(scalar: part) as? Value else { throw Self.mismatch(type, part, path) }
        return value
    }

    private func mismatch(_ type: Any.Type) -> DecodingError { Self.mismatch(type, tree, path) }

    /// Returns an error that gives the kind of the value but not the value, which must not appear in messages.
    static func mismatch(_ type: Any.Type, _ part: PropertyListValue, _ path: CodingPath) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path.keys, debugDescription: "\(part.kind) cannot be decoded as \(type)")
        return part == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }
}
