import Configuration
import Foundation
import Words

/// Comma-separated values as RFC 4180 has them. A cell is text, whatever it says: no spreadsheet takes it for a formula, and no
/// terminal for an order.
enum CSV {
    /// What a spreadsheet takes for a formula's beginning, also in its wide forms, and what may stand before one.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): String(flag)
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .string(let text): quoted(harmless(text))
        case .array, .object: ""
        }
    }

    /// Lines may end inside of a cell. Each begins as a cell would for a reader that cuts at the ends of lines first.
    private static func harmless(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(harmless(line:)).joined(separator: "\n")
    }

    /// An apostrophe tells spreadsheets that text follows.
    private static func harmless(line: Substring) -> String {
        let isFormula = line.unicodeScalars.first.map(formulaStarts.contains) ?? false
        return (isFormula ? "'" : "") + TerminalText.printable(String(line))
    }

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
