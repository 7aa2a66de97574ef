import Foundation

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
        // first, as wrong guesses are slow.
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([String: JSONValue].self) {
            self = .object(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if container.decodeNil() {
            self = .null
        } else {
            // The last possibility gives the error, if there is one.
            self = .boolean(try container.decode(Bool.self))
        }
    }

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
