/// An encoder of one value as a tree.
struct ValueEncoder: Encoder {
    let path: CodingPath
    let userInfo: [CodingUserInfoKey: Any]
    let node: EncodedNode

    init(_ path: CodingPath, _ userInfo: [CodingUserInfoKey: Any], _ node: EncodedNode = EncodedNode()) {
        self.path = path
        self.userInfo = userInfo
        self.node = node
    }

    var codingPath: [any CodingKey] { path.keys }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeKeyed()
        return KeyedEncodingContainer(KeyedValueEncoder<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeUnkeyed()
        return UnkeyedValueEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueEncoder(encoder: self) }

    /// Encodes a value at this encoder's path.
    func encode<Value: Encodable>(_ value: Value) throws -> PropertyListValue {
        if let scalar = Self.scalar(value) { return try checked(scalar) }
        try value.encode(to: self)
        guard let tree = node.value, !node.isContradictory else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "\(Value.self) encoded nothing, or requested containers of two kinds"))
        }
        return tree
    }

    /// Encodes a value within this one.
    func encode<Value: Encodable>(_ value: Value, at key: some CodingKey) throws -> PropertyListValue {
        if let scalar = Self.scalar(value) { return try checked(scalar, at: key) }
        return try ValueEncoder(try path.appending(key), userInfo).encode(value)
    }

    /// Returns the plain value of a scalar; nil for other values.
    private static func scalar<Value: Encodable>(_ value: Value) -> PropertyListValue? {
        // The usual types by their exact type: a cast to a protocol costs more than all the rest.
        if Value.self == Int.self { return .integer(Int64(unsafeBitCast(value, to: Int.self))) }
        if Value.self == String.self { return .string(unsafeBitCast(value, to: String.self)) }
        if Value.self == Double.self { return .real(unsafeBitCast(value, to: Double.self)) }
        if Value.self == Bool.self { return .boolean(unsafeBitCast(value, to: Bool.self)) }
        return (value as? any CodableScalar)?.archived
    }

    private func checked(_ scalar: PropertyListValue, at key: (any CodingKey)? = nil) throws -> PropertyListValue {
        // No reader accepts a date that is not finite; other numbers may be.
        if case .date(let seconds) = scalar, !seconds.isFinite {
            throw EncodingError.invalidValue(
                seconds,
                EncodingError.Context(
                    codingPath: codingPath + (key.map { [$0] } ?? []), debugDescription: "a date that is not finite"))
        }
        return scalar
    }
}
