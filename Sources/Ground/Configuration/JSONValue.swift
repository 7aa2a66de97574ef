import Foundation
import Words

/// A JSON value, as in configurations and on the control socket.
public enum JSONValue: Codable, Equatable, Sendable {
    /// The value null.
    case null
    /// The values true and false.
    case boolean(Bool)
    /// A whole number that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by their keys.
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder does not reveal the kind of its value: each kind is tried, the most frequent first because wrong
        // guesses are slow. A wrong guess is ignored, but an error inside an object or a list is thrown with its
        // location.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let object = try? decoder.container(keyedBy: EntryKey.self) {
            var entries: [String: JSONValue] = [:]
            for key in object.allKeys { entries[key.stringValue] = try object.decode(JSONValue.self, forKey: key) }
            self = .object(entries)
        } else if var list = try? decoder.unkeyedContainer() {
            var values: [JSONValue] = []
            while !list.isAtEnd { values.append(try list.decode(JSONValue.self)) }
            self = .array(values)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if Self.takesInfinity.flatMap({ decoder.userInfo[$0] }) != nil {
            self = .number(.infinity)
        } else {
            // Only a number can reach this point: one that none of the kinds can hold.
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a number must be from \(-Self.largest) to \(Self.largest)")
        }
    }

    private struct EntryKey: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let largest = Double.greatestFiniteMagnitude

    /// The key in a decoder's user info that makes numbers beyond all others infinite, so that the reader reports the
    /// allowed range. Without it such a number is an error.
    static let takesInfinity = CodingUserInfoKey(rawValue: "takesInfinity")

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    /// The value of a key; nil if this is not an object or the key is absent.
    public subscript(key: String) -> JSONValue? {
        guard case .object(let entries) = self else { return nil }
        return entries[key]
    }

    /// The string; nil for other kinds.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The whole number; nil for other kinds.
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    /// The Boolean value; nil for other kinds.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The list; nil for other kinds.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The number, whole or not; nil for other kinds.
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// The value in a message: simple values in quotation marks and shortened, otherwise the kind.
    package var brief: String {
        switch self {
        case .null: "“null”"
        case .boolean(let value): "“\(value)”"
        case .integer(let value): "“\(value)”"
        case .number(let value): "“\(value)”"
        case .string(let value):
            "“\(value.prefix(Self.briefLength))\(value.dropFirst(Self.briefLength).isEmpty ? "" : "…")”"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// The number of characters of a string in a message. 40: more than any meaningful word.
    private static let briefLength = 40

    /// Returns the value as JSON with sorted keys, on one line or indented for people. Unseen characters are escaped.
    public func text(pretty: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        return Self.withoutUnseen(String(decoding: try encoder.encode(self), as: UTF8.self))
    }

    /// Returns a text in JSON with its unseen characters escaped.
    package static func withoutUnseen(_ text: String) -> String {
        // Only ASCII, as most texts are. Its control characters are always escaped, except DEL.
        guard text.utf8.contains(where: { $0 >= 0x7F }) else { return text }
        // Outside strings only line feeds occur; inside strings every character can be escaped.
        guard text.unicodeScalars.contains(where: isEscaped) else { return text }
        return TerminalText.replacing(text) { scalar in
            guard isEscaped(scalar) else { return nil }
            return String(scalar).utf16.map { "\\u" + String(String(UInt32($0) + 0x1_0000, radix: 16).dropFirst()) }
                .joined()
        }
    }

    /// Returns true for characters that JSON need not escape but that must not reach a terminal.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x7F && TerminalText.isUnseen(scalar)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an object; the first of equal keys is kept.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }
}
