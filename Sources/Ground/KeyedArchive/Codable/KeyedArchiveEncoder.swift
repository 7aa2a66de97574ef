public import Foundation

/// Writes `Encodable` values as keyed archives of Foundation's plain classes: what is keyed becomes an `NSDictionary`, what is
/// unkeyed an `NSArray`; strings, numbers, booleans, `Data` and `Date` stay what they are; nil becomes `NSNull`.
///
/// So any reader of archives can read them, and so does ``KeyedArchiveDecoder``. A class that adopts `NSCoding` goes through
/// ``KeyedArchiver`` instead, which can also encode such values among others: see
/// ``KeyedArchiver/encodeEncodable(_:forKey:)``.
public struct KeyedArchiveEncoder: Sendable {
    /// Handed to the values that are encoded.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    public var limits = ArchiveLimits.standard

    public init() {}

    /// The archive of a value, under the key “root”.
    ///
    /// - Throws: `EncodingError`, or ``ArchiveError`` for a value that is too large or too deep.
    public func encode(_ value: some Encodable) throws -> Data {
        try encodeValue(value).archivedData(limits: limits)
    }

    /// The value as a tree: what ``encode(_:)`` puts into the archive.
    public func encodeValue(_ value: some Encodable) throws -> PropertyListValue {
        try ValueEncoder(CodingPath(limit: limits.depth), userInfo).encode(value)
    }
}
