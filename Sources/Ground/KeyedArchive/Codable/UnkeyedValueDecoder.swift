/// A container that decodes from an array, element by element.
struct UnkeyedValueDecoder: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [PropertyListValue]
    private(set) var currentIndex = 0

    init(decoder: ValueDecoder, elements: [PropertyListValue]) {
        self.decoder = decoder
        self.elements = elements
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard decoder.context.isNil(try part()) else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder.decode(type, from: try part(), at: IndexKey(currentIndex))
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let container = try nested().container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested().unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nested()
        currentIndex += 1
        return decoder
    }

    /// The next element.
    private func part() throws -> PropertyListValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                PropertyListValue.self,
                DecodingError.Context(
                    codingPath: codingPath + [IndexKey(currentIndex)],
                    debugDescription: "only \(elements.count) elements"))
        }
        return elements[currentIndex]
    }

    private func nested() throws -> ValueDecoder {
        ValueDecoder(
            try part(), try decoder.path.appending(IndexKey(currentIndex)), decoder.context)
    }
}
