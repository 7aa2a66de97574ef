public import Foundation

/// Reads `Decodable` values from keyed archives of Foundation's plain classes: those of ``KeyedArchiveEncoder``, and any other
/// of dictionaries with string keys, arrays, strings, numbers, data and dates. `NSNull` reads as nil.
public struct KeyedArchiveDecoder: Sendable {
    /// Handed to the values that are decoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    public var limits = ArchiveLimits.standard
    /// Whether the text “$null” reads as nil as well: Foundation's own encoder of property lists writes it in place of nil, and
    /// cannot tell the two apart. Off by default.
    public var readsNullTexts = false

    public init() {}

    /// The value under a key of an archive's `$top`.
    ///
    /// - Throws: ``ArchiveError`` for what is no such archive, `DecodingError` for one that holds another value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, forKey key: String = "root"
    ) throws -> Value {
        try decode(type, from: try PropertyListValue(archive: data, key: key, limits: limits))
    }

    /// The value that a tree stands for.
    public func decode<Value: Decodable>(_ type: Value.Type, from tree: PropertyListValue) throws -> Value {
        let context = DecodingContext(userInfo: userInfo, readsNullTexts: readsNullTexts)
        return try ValueDecoder(tree, CodingPath(limit: limits.depth), context).decode(type)
    }
}
