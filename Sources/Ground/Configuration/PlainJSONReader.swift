package import Foundation

/// A reader of JSON as programs write it, value by value in the order of the text, without a tree between.
///
/// Each method fails for whatever it does not know: another type, a rare escape, text that is no JSON. The caller then
/// leaves the whole text to a decoder, which reads it or finds the error.
package struct PlainJSONReader {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    /// The most digits of a number that is read without a library. 15: each such number, and each power of ten that its
    /// point divides it by, has an exact `Double`, so that the quotient is the nearest one.
    private static let exactDigits = 15
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Reads a text.
    ///
    /// - Parameter body: Reads its one value; nil if it cannot.
    /// - Returns: Nil if the body or this reader does not know the text.
    package static func read<Value>(_ json: Data, _ body: (inout PlainJSONReader) -> Value?) -> Value? {
        json.withUnsafeBytes { bytes in
            var reader = PlainJSONReader(bytes: bytes)
            guard let value = body(&reader) else { return nil }
            reader.skipSpace()
            return reader.place == bytes.count ? value : nil
        }
    }

    // MARK: - Values

    /// Reads an object.
    ///
    /// - Parameter body: Reads the value of a key; returns false if it cannot.
    package mutating func object(_ body: (_ key: String, inout PlainJSONReader) -> Bool) -> Bool {
        elements(from: UInt8(ascii: "{"), to: UInt8(ascii: "}")) { reader in
            guard let key = reader.string(), reader.take(UInt8(ascii: ":")) else { return false }
            return body(key, &reader)
        }
    }

    /// Reads a list.
    ///
    /// - Parameter body: Reads an element; returns false if it cannot.
    package mutating func list(_ body: (inout PlainJSONReader) -> Bool) -> Bool {
        elements(from: UInt8(ascii: "["), to: UInt8(ascii: "]"), body)
    }

    /// Reads a string.
    package mutating func string() -> String? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = place
        var isPlain = true
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""):
                defer { place += 1 }
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<place])
                return isPlain ? String(decoding: text, as: UTF8.self) : Self.text(text)
            case 0..<0x20: return nil
            // Readers differ about byte order marks: EF BB BF.
            case 0xEF where place + 1 < bytes.count && bytes[place + 1] == 0xBB: return nil
            case UInt8(ascii: "\\"):
                isPlain = false
                // The escaped character is no end.
                place += 1
            case 0x80...: isPlain = false
            default: break
            }
            place += 1
        }
        return nil
    }

    /// Reads a finite number.
    package mutating func number() -> Double? {
        skipSpace()
        let start = place
        let isNegative = isNext(UInt8(ascii: "-"))
        if isNegative { place += 1 }
        var value: Int64 = 0
        let hasLeadingZero = isNext(UInt8(ascii: "0"))
        let whole = takeDigits(into: &value)
        guard whole > 0, whole == 1 || !hasLeadingZero else { return nil }
        var fraction = 0
        if isNext(UInt8(ascii: ".")) {
            place += 1
            fraction = takeDigits(into: &value)
            guard fraction > 0 else { return nil }
        }
        let hasExponent = isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E"))
        guard !hasExponent, whole + fraction <= Self.exactDigits else { return rareNumber(from: start) }
        let number = Double(value) / Self.powers[fraction]
        return isNegative ? -number : number
    }

    /// Reads a null; returns false, and reads nothing, before anything else.
    package mutating func null() -> Bool {
        skipSpace()
        return takeWord("null")
    }

    /// Reads true or false.
    package mutating func boolean() -> Bool? {
        skipSpace()
        return takeWord("true") ? true : takeWord("false") ? false : nil
    }

    /// Passes a value that is neither a list nor an object.
    package mutating func skipScalar() -> Bool {
        switch nextKind {
        case .string: string() != nil
        case .number: number() != nil
        case .word: null() || boolean() != nil
        case .object, .list, nil: false
        }
    }

    // MARK: - Kinds

    /// The kind of a value, as its first byte tells it; a word is null, true or false.
    enum Kind {
        case object, list, string, number, word
    }

    /// The kind of the next value; nil at the end, and for what begins no value.
    var nextKind: Kind? {
        mutating get {
            skipSpace()
            guard place < bytes.count else { return nil }
            return switch bytes[place] {
            case UInt8(ascii: "{"): .object
            case UInt8(ascii: "["): .list
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"): .word
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
            default: nil
            }
        }
    }

    // MARK: - Bytes

    private mutating func elements(
        from start: UInt8, to end: UInt8, _ body: (inout PlainJSONReader) -> Bool
    ) -> Bool {
        guard take(start) else { return false }
        if take(end) { return true }
        repeat {
            guard body(&self) else { return false }
        } while take(UInt8(ascii: ","))
        return take(end)
    }

    private mutating func skipSpace() {
        while place < bytes.count {
            switch bytes[place] {
            case 0x20, 0x0A, 0x0D, 0x09: place += 1
            default: return
            }
        }
    }

    private func isNext(_ byte: UInt8) -> Bool { place < bytes.count && bytes[place] == byte }

    /// Takes a byte after any space; returns false if another one follows.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipSpace()
        guard isNext(byte) else { return false }
        place += 1
        return true
    }

    private mutating func takeWord(_ word: StaticString) -> Bool {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[place + offset] != word.utf8Start[offset] { return false }
        place = end
        return true
    }

    /// Takes digits, which are appended to a number; one that is too long overflows.
    ///
    /// - Returns: Their count.
    private mutating func takeDigits(into value: inout Int64) -> Int {
        let start = place
        while place < bytes.count, let digit = Self.digit(bytes[place]) {
            value = value &* 10 &+ Int64(digit)
            place += 1
        }
        return place - start
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? byte - UInt8(ascii: "0") : nil
    }

    /// Reads a number with an exponent or with many digits, whose mantissa was read.
    private mutating func rareNumber(from start: Int) -> Double? {
        if isNext(UInt8(ascii: "e")) || isNext(UInt8(ascii: "E")) {
            place += 1
            if isNext(UInt8(ascii: "+")) || isNext(UInt8(ascii: "-")) { place += 1 }
            let first = place
            while place < bytes.count, Self.digit(bytes[place]) != nil { place += 1 }
            guard place > first else { return nil }
        }
        let text = String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<place]), as: UTF8.self)
        guard let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Returns a text with escapes or with characters beyond ASCII.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "b"): text.append(0x08)
            case UInt8(ascii: "f"): text.append(0x0C)
            case let mark? where mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "\\") || mark == UInt8(ascii: "/"):
                text.append(mark)
            // A code, which may be half of a character.
            default: return nil
            }
        }
        return String(validating: text, as: UTF8.self)
    }
}
