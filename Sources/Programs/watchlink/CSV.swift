import Configuration
import Foundation
import Words

/// Comma-separated values as in RFC 4180. A cell is always text: no spreadsheet takes it for a formula, no terminal for
/// a control sequence.
enum CSV {
    /// The characters that begin a formula in spreadsheets, also in full width, and those that may precede one.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): String(flag)
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .string(let text): isPlain(text) ? text : quoted(harmless(text))
        case .array, .object: ""
        }
    }

    /// Returns true for a text that stays as it is. Most do, and this is learnt from their bytes, without characters.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            && !(text.unicodeScalars.first.map(formulaStarts.contains) ?? false)
    }

    /// Escapes each line of a cell: a reader that splits at line ends first sees it as the start of a cell.
    private static func harmless(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(harmless(line:)).joined(separator: "\n")
    }

    /// Escapes a line; an apostrophe marks text for spreadsheets.
    private static func harmless(line: Substring) -> String {
        let isFormula = line.unicodeScalars.first.map(formulaStarts.contains) ?? false
        return (isFormula ? "'" : "") + TerminalText.printable(String(line))
    }

    private static func quoted(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
