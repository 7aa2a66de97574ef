import Foundation
import ServiceRuntime

/// Comma-separated values as RFC 4180 has them.
enum CSV {
    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .boolean(let flag): String(flag)
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .string(let text): quoted(text)
        case .array, .object: ""
        }
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { ",\"\n\r".contains($0) }) else { return text }
        return "\"" + text.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
