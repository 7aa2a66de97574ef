extension KeyedUnarchiver {
    /// Decodes a value as ``KeyedArchiveDecoder`` does; nil if there is none under the key.
    ///
    /// An error, a `DecodingError` among them, is kept in `error`, as by all of a coder's methods.
    public func decodeDecodable<Value: Decodable>(_ type: Value.Type, forKey key: String) -> Value? {
        guard let tree = decoder.tree(forKey: key) else { return nil }
        do {
            return try KeyedArchiveDecoder().decode(type, from: tree)
        } catch {
            failWithError(error)
            return nil
        }
    }

    /// The plain values under a key as a tree; nil if there are none.
    public func decodeValue(forKey key: String) -> PropertyListValue? { decoder.tree(forKey: key) }
}
