extension Publisher {
    /// Decodes each value; an error ends the sequence.
    public func decode<Item: Decodable, Coder: TopLevelDecoder>(
        type: Item.Type, decoder: Coder
    ) -> Publishers.TryMap<Self, Item> where Coder.Input == Output {
        tryMap { try decoder.decode(type, from: $0) }
    }
}

extension Publisher where Output: Encodable {
    /// Encodes each value; an error ends the sequence.
    public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.TryMap<Self, Coder.Output> {
        tryMap { try encoder.encode($0) }
    }
}
