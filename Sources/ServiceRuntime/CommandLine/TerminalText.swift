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

    /// Control characters are shown, not sent.
    public static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                        ? Array("\\u{\(String(scalar.value, radix: 16))}".unicodeScalars) : [scalar]
                }))
    }
}
