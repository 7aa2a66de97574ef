extension KeyedUnarchiver {
    /// Decodes a value like ``KeyedArchiveDecoder``; nil if the key is missing.
    ///
    /// An error, including `DecodingError`, is stored in `error`, as with all methods of a coder.
    public func decodeDecodable<Value: Decodable>(_ type: Value.Type, forKey key: String) -> Value? {
        guard let tree = decoder.tree(forKey: key) else { return nil }
        do {
            return try KeyedArchiveDecoder().decode(type, from: tree)
        } catch {
            failWithError(error)
            return nil
        }
    }

    /// Returns the plain values under a key as a tree; nil if the key is missing.
    public func decodeValue(forKey key: String) -> PropertyListValue? { decoder.tree(forKey: key) }
}
