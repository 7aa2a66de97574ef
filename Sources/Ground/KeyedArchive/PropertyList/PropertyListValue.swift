public import Foundation

/// A value of a binary property list, as a tree.
///
/// It serves tools and dictionaries of plain values; for objects use ``KeyedArchiver`` and ``KeyedUnarchiver``.
public enum PropertyListValue: Equatable, Sendable {
    /// Null. An archive stores it as `NSNull`; it cannot be written to a plain property list.
    case null
    /// A Boolean value.
    case boolean(Bool)
    /// A signed integer.
    case integer(Int64)
    /// An integer above `Int64.max`.
    case unsigned(UInt64)
    /// A 32-bit floating-point number.
    case float(Float)
    /// A 64-bit floating-point number.
    case real(Double)
    /// A date in seconds since 2001-01-01 00:00:00 UTC; finite if it was read from a file.
    case date(Double)
    /// Bytes.
    case data(Data)
    /// A text.
    case string(String)
    /// A reference into the `$objects` of a keyed archive.
    case uid(UInt32)
    /// An array.
    case array([PropertyListValue])
    /// A set, in the order of the file.
    case set([PropertyListValue])
    /// A dictionary.
    case dictionary([String: PropertyListValue])

    /// Returns the value under a key; nil if this is not a dictionary or lacks the key.
    public subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }

    /// The kind of the value, in words.
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
