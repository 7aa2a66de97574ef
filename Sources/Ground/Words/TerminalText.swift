import Foundation

/// Foreign text in a form that cannot disturb a terminal.
public enum TerminalText {
    /// The dates that Foundation's formatter can print: the years 1 to 9999.
    private static let printableSeconds = -63_114_076_800.0...252_423_993_599.0

    /// Returns a time, in seconds since 2001, as ISO 8601, or as a number if it is outside the years 1 to 9999.
    public static func date(_ seconds: Double) -> String {
        guard printableSeconds.contains(seconds) else { return "date \(seconds) s after 2001-01-01" }
        return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }

    /// Returns a printable text in quotation marks.
    public static func quoted(_ text: String) -> String { "“\(printable(text))”" }

    /// Returns a text in which unseen characters are written as `\u{…}`.
    public static func printable(_ text: String) -> String {
        // Most texts have no such characters.
        guard text.unicodeScalars.contains(where: isUnseen) else { return text }
        return replacing(text) { isUnseen($0) ? "\\u{\(String($0.value, radix: 16))}" : nil }
    }

    /// Returns true for a character that changes how others appear: controls, writing directions, line and paragraph
    /// separators, tags, and code points without a meaning. The joiners are part of words and of emoji.
    public static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        // Printable ASCII, which most text is.
        if (0x20..<0x7F).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        case .unassigned: scalar.properties.isNoncharacterCodePoint || scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// Returns a text in which the characters with a `form` are replaced by it.
    public static func replacing(_ text: String, _ form: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let form = form(scalar) { result.append(contentsOf: form.unicodeScalars) } else { result.append(scalar) }
        }
        return String(result)
    }
}
