public import Foundation

/// An encoder that writes `Encodable` values as keyed archives of Foundation's plain classes: a keyed container becomes
/// an `NSDictionary`, an unkeyed one an `NSArray`; strings, numbers, booleans, `Data` and `Date` keep their types; nil
/// becomes `NSNull`.
///
/// Any reader of archives can read them, as can ``KeyedArchiveDecoder``. For a class that adopts `NSCoding` use
/// ``KeyedArchiver``, which can also encode such values next to objects: see
/// ``KeyedArchiver/encodeEncodable(_:forKey:)``.
public struct KeyedArchiveEncoder: Sendable {
    /// Information for the encoded values.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The limits of the archive.
    public var limits = ArchiveLimits.standard

    /// Creates an encoder with standard limits.
    public init() {}

    /// Encodes a value as an archive, under the key “root”.
    ///
    /// - Throws: `EncodingError`, or ``ArchiveError`` for a value that is too large or too deep.
    public func encode(_ value: some Encodable) throws -> Data {
        try encodeValue(value).archivedData(limits: limits)
    }

    /// Encodes a value as the tree that ``encode(_:)`` archives.
    ///
    /// - Throws: `EncodingError`, or ``ArchiveError`` for a value that is too deep.
    public func encodeValue(_ value: some Encodable) throws -> PropertyListValue {
        try ValueEncoder(CodingPath(limit: limits.depth), userInfo).encode(value)
    }
}
