public import Foundation

/// The two forms of a line: for people, and for programs.
public enum LogFormat: String, Sendable, CaseIterable {
    case text
    case json

    /// The line, without its end.
    public func line(_ record: LogRecord) -> String {
        switch self {
        case .text: Self.text(record)
        case .json: Self.json(record)
        }
    }

    /// RFC 3339 in UTC with microseconds.
    public static func timestamp(_ date: Date) -> String {
        var seconds = date.timeIntervalSince1970.rounded(.down)
        var micros = Int(((date.timeIntervalSince1970 - seconds) * 1_000_000).rounded())
        if micros == 1_000_000 {
            seconds += 1
            micros = 0
        }
        let whole = Date(timeIntervalSince1970: seconds).formatted(.iso8601)
        let digits = String(micros)
        return whole.dropLast() + "." + String(repeating: "0", count: 6 - digits.count) + digits + "Z"
    }

    private static func text(_ record: LogRecord) -> String {
        var line = timestamp(record.time)
        let level = record.event.level.description
        // “emergency”, the longest name, has nine letters.
        line += " " + level + String(repeating: " ", count: 9 - level.count)
        line += " \(record.service): \(record.event.rawValue)"
        for field in record.fields { line += " \(field.key)=\(word(field.value))" }
        return line
    }

    /// A value as one word: quoted when a space or a quote would make two of it.
    private static func word(_ value: LogField.Value) -> String {
        switch value {
        case .number(let number): return String(number)
        case .seconds(let seconds): return String(format: "%.6f", seconds)
        case .flag(let flag): return String(flag)
        case .text(let whole):
            let text = cut(whole)
            let isPlain =
                !text.isEmpty
                && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && !isControl($0) }
            return isPlain ? text : quoted(text)
        }
    }

    private static func json(_ record: LogRecord) -> String {
        var line = "{\"time\":\"\(timestamp(record.time))\",\"level\":\"\(record.event.level)\""
        line += ",\"service\":\(quoted(record.service)),\"event\":\(quoted(record.event.rawValue))"
        for field in record.fields {
            line += ",\"\(field.key)\":"
            switch field.value {
            case .number(let number): line += String(number)
            case .seconds(let seconds): line += String(format: "%.6f", seconds)
            case .flag(let flag): line += String(flag)
            case .text(let text): line += quoted(cut(text))
            }
        }
        return line + "}"
    }

    /// Longest text of a field, in characters. 1,024: what a peer gives as its reason must not fill the log.
    private static let maximumText = 1024

    private static func cut(_ text: String) -> String {
        text.count <= maximumText ? text : text.prefix(maximumText) + "…"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// A JSON string. Control characters are escaped, so that no value can forge a line.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where isControl(scalar):
                result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
