/// A writer of JSON in one pass, in the form of a `JSONEncoder` with sorted keys and unescaped slashes.
///
/// An object's keys are written in the order of the calls: the caller sorts them.
package struct JSONWriter {
    /// The text so far.
    package private(set) var bytes: [UInt8] = []
    /// True after a value in an object or list, which the next one follows after a comma.
    private var needsComma = false

    private static let digits = Array("0123456789abcdef".utf8)

    package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    // MARK: - Objects and lists

    package mutating func object<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try group(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    package mutating func list<Failure: Error>(
        _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        try group(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// Writes the key of the next value.
    package mutating func key(_ key: String) {
        string(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Begins a line for the next value of a list whose brackets are written elsewhere.
    package mutating func nextLine() {
        bytes.append(UInt8(ascii: ","))
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func group<Failure: Error>(
        _ start: UInt8, _ end: UInt8, _ body: (inout JSONWriter) throws(Failure) -> Void
    ) throws(Failure) {
        separate()
        bytes.append(start)
        needsComma = false
        try body(&self)
        bytes.append(end)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: - Values

    package mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func integer(_ value: Int64) { word(value.description) }

    /// Writes a number.
    ///
    /// - Throws: An `EncodingError` for infinity and NaN, which JSON does not have.
    package mutating func number(_ value: Double) throws {
        guard value.isFinite else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: [], debugDescription: "JSON has no number for \(value)"))
        }
        let text = value.description
        word(text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }

    package mutating func boolean(_ value: Bool) { word(value ? "true" : "false") }

    package mutating func null() { word("null") }

    /// Writes a value with all that it contains.
    package mutating func value(_ value: JSONValue) throws {
        switch value {
        case .null: null()
        case .boolean(let value): boolean(value)
        case .integer(let value): integer(value)
        case .number(let value): try number(value)
        case .string(let value): string(value)
        case .array(let values): try list { (list) throws in for value in values { try list.value(value) } }
        case .object(let entries):
            try object { (object) throws in
                for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                    object.key(key)
                    try object.value(value)
                }
            }
        }
    }

    private mutating func word(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (place, byte) in text.enumerated() {
            let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            guard isEscaped else { continue }
            bytes.append(contentsOf: text[start..<place])
            start = place + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x08: bytes.append(UInt8(ascii: "b"))
            case 0x09: bytes.append(UInt8(ascii: "t"))
            case 0x0A: bytes.append(UInt8(ascii: "n"))
            case 0x0C: bytes.append(UInt8(ascii: "f"))
            case 0x0D: bytes.append(UInt8(ascii: "r"))
            case 0..<0x20:
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(Self.digits[Int(byte >> 4)])
                bytes.append(Self.digits[Int(byte & 0xF)])
            default: bytes.append(byte)
            }
        }
        bytes.append(contentsOf: text[start...])
    }
}
