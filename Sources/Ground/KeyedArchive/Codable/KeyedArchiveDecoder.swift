public import Foundation

/// A decoder that reads `Decodable` values from keyed archives of Foundation's plain classes: those of
/// ``KeyedArchiveEncoder``, and any others of dictionaries with string keys, arrays, strings, numbers, data and dates.
/// `NSNull` reads as nil.
public struct KeyedArchiveDecoder: Sendable {
    /// Information for the decoded values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The limits of the archive.
    public var limits = ArchiveLimits.standard
    /// True if the text “$null” also reads as nil: Foundation's encoder of property lists writes it instead of nil, and
    /// cannot tell the two apart. False by default.
    public var readsNullTexts = false

    /// Creates a decoder with standard limits.
    public init() {}

    /// Decodes the value under a key of an archive's `$top`.
    ///
    /// - Throws: ``ArchiveError`` if the data is not such an archive, `DecodingError` if it contains a different value.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, forKey key: String = "root"
    ) throws -> Value {
        try decode(type, from: try PropertyListValue(archive: data, key: key, limits: limits))
    }

    /// Decodes a value from a tree.
    ///
    /// - Throws: `DecodingError` for a different value, ``ArchiveError`` for one that is too deep or shares too much.
    public func decode<Value: Decodable>(_ type: Value.Type, from tree: PropertyListValue) throws -> Value {
        let context = DecodingContext(userInfo: userInfo, readsNullTexts: readsNullTexts)
        return try ValueDecoder(tree, CodingPath(limit: limits.depth), context).decode(type)
    }
}
