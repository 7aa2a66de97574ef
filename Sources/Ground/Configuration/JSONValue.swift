import Foundation
import Words

/// Any JSON value: what configurations and the control socket are made of.
public enum JSONValue: Codable, Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // A decoder does not tell what it has: each kind is tried, and a wrong guess is no error. The most frequent come
        // first, as wrong guesses are slow. What is wrong inside of an object or a list is one, and knows where it is.
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
            // A number is all that JSON has and none of these can hold.
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

    /// Among a decoder's user info: a number beyond all others is infinite, and whoever reads it says what is allowed. Without it,
    /// such a number is an error.
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

    public subscript(key: String) -> JSONValue? {
        guard case .object(let entries) = self else { return nil }
        return entries[key]
    }

    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    public var number: Double? {
        switch self {
        case .number(let value): value
        case .integer(let value): Double(value)
        case .null, .boolean, .string, .array, .object: nil
        }
    }

    /// A value as a message names it: a plain one in quotation marks, and no more than its beginning; of others the kind.
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

    /// Characters of a text that a message names. 40: more than any word that has a meaning.
    private static let briefLength = 40

    /// One line with sorted keys, or many lines for people.
    public func text(pretty: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        // Outside of strings there are none but line feeds; inside, JSON has another way to write each.
        guard text.unicodeScalars.contains(where: Self.isEscaped) else { return text }
        return TerminalText.replacing(text) { scalar in
            guard Self.isEscaped(scalar) else { return nil }
            return String(scalar).utf16.map { "\\u" + String(String(UInt32($0) + 0x1_0000, radix: 16).dropFirst()) }
                .joined()
        }
    }

    /// What JSON need not escape, and a terminal must not get.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x7F && TerminalText.isUnseen(scalar)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }
}
