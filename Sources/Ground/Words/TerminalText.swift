import Foundation

/// What others wrote, as text that cannot disturb a terminal.
public enum TerminalText {
    /// Dates that Foundation's formatter can print: the years 1 to 9999.
    private static let printableSeconds = -63_114_076_800.0...252_423_993_599.0

    public static func date(_ seconds: Double) -> String {
        guard printableSeconds.contains(seconds) else { return "date \(seconds) s after 2001-01-01" }
        return Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }

    public static func quoted(_ text: String) -> String { "“\(printable(text))”" }

    /// Characters that do something instead of being seen are shown, not sent.
    public static func printable(_ text: String) -> String {
        // Most texts have none.
        guard text.unicodeScalars.contains(where: isUnseen) else { return text }
        return replacing(text) { isUnseen($0) ? "\\u{\(String($0.value, radix: 16))}" : nil }
    }

    /// Whether a character changes what is seen of others: controls, the direction of writing, ends of lines and paragraphs,
    /// tags, and what has no meaning. The joiners are part of words and of emoji.
    public static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        // The printable part of ASCII, which most text is.
        if (0x20..<0x7F).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        case .unassigned: scalar.properties.isNoncharacterCodePoint || scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// A text in which some characters are written in another way.
    public static func replacing(_ text: String, _ form: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let form = form(scalar) { result.append(contentsOf: form.unicodeScalars) } else { result.append(scalar) }
        }
        return String(result)
    }
}
