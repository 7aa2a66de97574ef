public import Foundation
import Glibc

/// The format of a log line, for people or for programs.
public enum LogFormat: String, Sendable, CaseIterable {
    /// Time, level, service, event and fields: for files.
    case text
    /// One JSON object on each line.
    case json
    /// Aligned and coloured, with the time of day: for a terminal.
    case terminal
    /// With a priority and without a time, which the journal adds itself: sd-daemon(3).
    case journal

    /// Returns the format that suits the reader of a descriptor: the journal, a terminal, or another program.
    ///
    /// `$JOURNAL_STREAM` names the device and inode of the stream that the journal reads. Both are compared, because a
    /// process that a service started may inherit the variable with its output redirected.
    public static func suited(to descriptor: Int32, environment: [String: String]) -> LogFormat {
        var status = stat()
        if let stream = environment["JOURNAL_STREAM"], fstat(descriptor, &status) == 0,
            stream == "\(status.st_dev):\(status.st_ino)"
        {
            return .journal
        }
        return isColoured(descriptor, environment: environment) ? .terminal : .text
    }

    /// Returns true if the descriptor is a terminal with colours, unless `NO_COLOR` is set (no-color.org).
    public static func isColoured(_ descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["NO_COLOR"]?.isEmpty ?? true && environment["TERM"] != "dumb"
    }

    /// The bytes for which a line makes room at once. 256: most lines are shorter.
    private static let usualLength = 256

    /// Returns the line, without a newline.
    public func line(_ record: LogRecord) -> String {
        let event = record.event
        switch self {
        case .text:
            var line = ""
            line.reserveCapacity(Self.usualLength)
            line += Self.timestamp(record.time)
            line += " "
            line += Self.padded(event.level.description, Self.levelWidth)
            line += " "
            line += record.service
            line += ": "
            Self.add(record, to: &line)
            return line
        case .json: return Self.json(record)
        case .terminal: return Self.terminal(record)
        case .journal: return "<\(event.level.rawValue)>" + Self.message(record)
        }
    }

    /// Returns the event and its fields, without time, level and service.
    static func message(_ record: LogRecord) -> String {
        var message = ""
        add(record, to: &message)
        return message
    }

    /// The longest name of a level, “emergency”, and of a service, “companion”, have nine letters.
    private static let levelWidth = 9
    /// Most events' texts are shorter.
    private static let eventWidth = 24

    private static func terminal(_ record: LogRecord) -> String {
        let level = record.event.level
        let colour =
            switch level {
            case .emergency, .alert, .critical, .error: "1;31"
            case .warning: "33"
            case .notice: "1"
            case .info: "32"
            case .debug: "2"
            }
        let time = timestamp(record.time).dropFirst(11).dropLast()
        let fields = record.fields.map { " \u{1B}[2m\($0.key)=\u{1B}[0m\(word($0.value))" }.joined()
        return "\u{1B}[2m\(time)\u{1B}[0m \u{1B}[\(colour)m\(padded(level.description, levelWidth))\u{1B}[0m "
            + "\(padded(record.service, levelWidth)) \(padded(record.event.text, eventWidth))\(fields)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Returns a time as RFC 3339 in UTC with microseconds. `gmtime_r` is used because Foundation's calendar keeps
    /// three megabytes of time zones in memory.
    public static func timestamp(_ date: Date) -> String {
        var seconds = date.timeIntervalSince1970.rounded(.down)
        var micros = Int(((date.timeIntervalSince1970 - seconds) * 1_000_000).rounded())
        if micros == 1_000_000 {
            seconds += 1
            micros = 0
        }
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        var text = ""
        text.reserveCapacity(timestampLength)
        add(Int(parts.tm_year) + 1900, digits: 4, to: &text)
        for (mark, part) in [("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min)] {
            text += mark
            add(Int(part), digits: 2, to: &text)
        }
        text += ":"
        add(Int(parts.tm_sec), digits: 2, to: &text)
        text += "."
        add(micros, digits: microsecondDigits, to: &text)
        text += "Z"
        return text
    }

    /// The bytes of a time; a few more in distant years.
    private static let timestampLength = 27
    private static let microsecondDigits = 6

    /// Adds a number with at least so many digits.
    private static func add(_ number: Int, digits: Int, to text: inout String) {
        let word = String(number.magnitude)
        if number < 0 { text += "-" }
        for _ in 0..<max(0, digits - word.utf8.count) { text += "0" }
        text += word
    }

    private static func add(_ record: LogRecord, to line: inout String) {
        line += record.event.text
        for field in record.fields {
            line += " "
            line += field.key
            line += "="
            line += word(field.value)
        }
    }

    /// Returns a time span with microseconds.
    private static func span(_ seconds: Double) -> String {
        let micros = (seconds * 1_000_000).rounded(.toNearestOrEven)
        // Larger numbers are not exact, and nothing takes thirty years.
        guard micros.magnitude < 1e15 else { return String(format: "%.6f", seconds) }
        let (whole, rest) = Int(micros.magnitude).quotientAndRemainder(dividingBy: 1_000_000)
        var text = micros < 0 ? "-" : ""
        text += String(whole)
        text += "."
        add(rest, digits: microsecondDigits, to: &text)
        return text
    }

    /// Returns a value as one word, quoted if a space or a quote would split it.
    private static func word(_ value: LogField.Value) -> String {
        switch value {
        case .number(let number): return String(number)
        case .seconds(let seconds): return span(seconds)
        case .flag(let flag): return String(flag)
        case .text(let whole):
            let text = cut(whole)
            return isPlain(text) ? text : quoted(text)
        }
    }

    private static func json(_ record: LogRecord) -> String {
        var line = "{\"time\":\"\(timestamp(record.time))\",\"level\":\"\(record.event.level)\""
        line += ",\"service\":\(quoted(record.service)),\"event\":\(quoted(record.event.text))"
        for field in record.fields {
            line += ",\"\(field.key)\":"
            switch field.value {
            case .number(let number): line += String(number)
            case .seconds(let seconds): line += span(seconds)
            case .flag(let flag): line += String(flag)
            case .text(let text): line += quoted(cut(text))
            }
        }
        return line + "}"
    }

    /// The longest text of a field, in characters. 1,024: a reason that a peer sends must not fill the log.
    private static let maximumText = 1024

    static func cut(_ text: String) -> String {
        // Characters are counted only if the bytes are too many.
        text.utf8.count <= maximumText || text.count <= maximumText ? text : text.prefix(maximumText) + "…"
    }

    /// Returns true if a text is one word without quotes. Looks at bytes, which is much faster in a debug build.
    private static func isPlain(_ text: String) -> Bool {
        var (text, before) = (text, UInt8(0))
        return text.withUTF8 { bytes in
            for byte in bytes {
                let isMark = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=")
                if isMark || byte <= 0x20 || byte == 0x7F { return false }
                // The second half of the control characters, U+0080 to U+009F.
                if before == 0xC2 && byte < 0xA0 { return false }
                before = byte
            }
            return !bytes.isEmpty
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
    }

    /// Returns a JSON string. Control characters are escaped, so that no value can forge a line.
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
