public import Foundation

/// One value of a binary property list, as a tree.
///
/// For tools and for dictionaries of plain values; objects go through ``KeyedArchiver`` and ``KeyedUnarchiver``.
public enum PropertyListValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// Only for numbers above `Int64.max`.
    case unsigned(UInt64)
    case float(Float)
    case real(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC; finite.
    case date(Double)
    case data(Data)
    case string(String)
    /// A reference into the `$objects` of a keyed archive.
    case uid(UInt32)
    case array([PropertyListValue])
    case set([PropertyListValue])
    case dictionary([String: PropertyListValue])

    /// The value under a key; nil when this is no dictionary or has no such key.
    public subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }

    /// What it is, in words.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .unsigned: "integer"
        case .float, .real: "real"
        case .date: "date"
        case .data: "data"
        case .string: "string"
        case .uid: "UID"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}
