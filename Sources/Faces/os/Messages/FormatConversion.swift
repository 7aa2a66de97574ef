import Foundation
import Glibc

/// One conversion of a format, such as `%{public}-8.3lf`.
struct FormatConversion {
    /// The annotation in braces: privacy, and the meaning of the value.
    private var privacy = OSLogPrivacy.auto
    private var meaning = ""
    private var flags = ""
    private var width: Int?
    private var precision: Int?
    private var length = ""
    private var letter: Character = "%"

    /// The largest width and precision. 1,024: more are a mistake, and would fill the log.
    private static let mostColumns = 1_024

    /// Reads a conversion behind its percent sign; nil if there is none.
    ///
    /// - Parameter next: Returns the next argument, for widths that are given as `*`.
    init?(from text: inout Substring, next: () -> Any?) {
        var rest = text
        if rest.first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return nil }
            annotate(rest[rest.index(after: rest.startIndex)..<end])
            rest = rest[rest.index(after: end)...]
        }
        flags = Self.read(&rest) { "-+ #0'".contains($0) }
        width = Self.number(&rest, next)
        if rest.first == "." {
            rest.removeFirst()
            let digits = Self.number(&rest, next) ?? 0
            // As in C, a negative precision from an argument counts as none.
            precision = digits < 0 ? nil : digits
        }
        length = Self.read(&rest) { "hlqLztj".contains($0) }
        guard let letter = rest.popFirst() else { return nil }
        self.letter = letter
        text = rest
    }

    /// Returns the text of the next argument, or the mark instead of it.
    func text(next: () -> Any?, showsPrivate: Bool) -> String {
        switch letter {
        case "%": return "%"
        case "m": return String(cString: strerror(errno))
        case _ where !"@sdiDuUxXoOcCfFeEgGaApP".contains(letter):
            return "<decode: unknown conversion [%\(letter)]>"
        default: break
        }
        guard let argument = next() else { return "<decode: missing data>" }
        return privacy.shown(isPrivateByDefault: "@sS".contains(letter), showsPrivate: showsPrivate) {
            value(argument) ?? "<decode: mismatch for [%\(length)\(letter)] got [\(type(of: argument))]>"
        }
    }

    private mutating func annotate(_ annotation: Substring) {
        for word in annotation.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
            switch word {
            case "public": privacy = .public
            case "private": privacy = .private
            case "sensitive": privacy = .sensitive
            case "mask.hash": privacy = .private(mask: .hash)
            default: meaning = word
            }
        }
    }

    private static func read(_ text: inout Substring, while isPart: (Character) -> Bool) -> String {
        let part = text.prefix(while: isPart)
        text = text[part.endIndex...]
        return String(part)
    }

    private static func number(_ text: inout Substring, _ next: () -> Any?) -> Int? {
        if text.first == "*" {
            text.removeFirst()
            return (next() as? any BinaryInteger).map { max(-mostColumns, min(Int(clamping: $0), mostColumns)) }
        }
        return Int(read(&text) { $0.isASCII && $0.isNumber }).map { min($0, mostColumns) }
    }

    /// Returns the text of a value; nil if it does not fit the conversion.
    private func value(_ argument: Any) -> String? {
        switch letter {
        case "@": padded(String(describing: argument))
        case "s", "S": Self.string(argument).map { padded(String($0.prefix(precision ?? .max))) }
        case "f", "F", "e", "E", "g", "G", "a", "A": double(argument)
        case "p", "P": pointer(argument)
        case "c", "C": integer(argument).flatMap { Unicode.Scalar(UInt32(truncatingIfNeeded: $0)) }.map { String($0) }
        default: integer(argument).map(whole)
        }
    }

    private func padded(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, (width ?? 0) - text.count))
        return flags.contains("-") ? text + padding : padding + text
    }

    private static func string(_ argument: Any) -> String? {
        switch argument {
        case let text as String: text
        case let pointer as UnsafePointer<CChar>: String(cString: pointer)
        case let pointer as UnsafeMutablePointer<CChar>: String(cString: pointer)
        default: nil
        }
    }

    private func integer(_ argument: Any) -> Int64? {
        switch argument {
        case let flag as Bool: flag ? 1 : 0
        case let number as any BinaryInteger: Int64(truncatingIfNeeded: number)
        case let number as NSNumber: number.int64Value
        default: nil
        }
    }

    /// Returns a whole number in the size that the length names, as the C function reads it.
    private func whole(_ number: Int64) -> String {
        switch meaning {
        case "bool": return number == 0 ? "false" : "true"
        case "BOOL": return number == 0 ? "NO" : "YES"
        case "darwin.errno", "errno":
            return "[\(number): \(String(cString: strerror(Int32(truncatingIfNeeded: number))))]"
        default: break
        }
        let isSigned = "diD".contains(letter)
        let conversion = letter == "D" ? "d" : letter == "U" ? "u" : letter == "O" ? "o" : String(letter)
        let sized: Int64 =
            switch (length, isSigned) {
            case ("hh", true): Int64(Int8(truncatingIfNeeded: number))
            case ("hh", false): Int64(UInt8(truncatingIfNeeded: number))
            case ("h", true): Int64(Int16(truncatingIfNeeded: number))
            case ("h", false): Int64(UInt16(truncatingIfNeeded: number))
            case ("", true): Int64(Int32(truncatingIfNeeded: number))
            case ("", false): Int64(UInt32(truncatingIfNeeded: number))
            default: number
            }
        return String(format: specification("ll" + conversion), sized)
    }

    private func double(_ argument: Any) -> String? {
        let number: Double? =
            switch argument {
            case let number as Double: number
            case let number as Float: Double(number)
            case let number as CGFloat: Double(number)
            case let number as NSNumber: number.doubleValue
            default: nil
            }
        return number.map { String(format: specification(String(letter)), $0) }
    }

    private func pointer(_ argument: Any) -> String? {
        switch argument {
        case let pointer as UnsafeRawPointer: "\(pointer)"
        case let pointer as UnsafeMutableRawPointer: "\(pointer)"
        case let pointer as OpaquePointer: "\(pointer)"
        default: integer(argument).map { "0x" + String(UInt64(bitPattern: $0), radix: 16) }
        }
    }

    private func specification(_ conversion: String) -> String {
        "%" + flags + (width.map(String.init) ?? "") + (precision.map { ".\($0)" } ?? "") + conversion
    }
}
