import EventLog
import Foundation

/// Reads lines of the log back: the text form and the JSON form.
package enum LogLine {
    /// Nil for what is no line of a service's log: another program's output, a line that was cut.
    package static func parse(_ line: some StringProtocol) -> TimelineEvent? {
        line.first == "{" ? json(line) : text(line)
    }

    private static func json(_ line: some StringProtocol) -> TimelineEvent? {
        // A line that is no JSON is no line of ours, which is the answer.
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let time = (object["time"] as? String).flatMap(date),
            let side = (object["service"] as? String).flatMap(TimelineSide.init(rawValue:)),
            let event = (object["event"] as? String).flatMap(LogEvent.init(rawValue:))
        else { return nil }
        let fields = object.filter { !["time", "level", "service", "event"].contains($0.key) }
        return TimelineEvent(
            time: time, side: side, event: event,
            fields: fields.mapValues { value in
                (value as? NSNumber).map { "\($0)" } ?? "\(value)"
            })
    }

    private static func text(_ line: some StringProtocol) -> TimelineEvent? {
        let words = line.split(separator: " ", maxSplits: 2)
        guard words.count == 3, let time = date(String(words[0])),
            LogLevel(name: String(words[1])) != nil,
            let colon = words[2].firstIndex(of: ":")
        else { return nil }
        let service = words[2][..<colon].trimmingCharacters(in: .whitespaces)
        guard let side = TimelineSide(rawValue: service) else { return nil }
        var rest = words[2][words[2].index(after: colon)...].drop { $0 == " " }
        // The event's text ends where the first field begins.
        var name: [String] = []
        while !rest.isEmpty {
            let word = rest.prefix { $0 != " " }
            if word.contains("=") { break }
            name.append(String(word))
            rest = rest.dropFirst(word.count).drop { $0 == " " }
        }
        guard let event = LogEvent(rawValue: name.joined(separator: " ")) else { return nil }
        return TimelineEvent(time: time, side: side, event: event, fields: fields(rest))
    }

    private static func fields(_ text: some StringProtocol) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = text[...]
        while let equals = rest.firstIndex(of: "=") {
            let key = rest[..<equals].trimmingCharacters(in: .whitespaces)
            rest = rest[rest.index(after: equals)...]
            if rest.first == "\"" {
                let (value, after) = quoted(rest.dropFirst())
                fields[key] = value
                rest = after
            } else {
                let word = rest.prefix { $0 != " " }
                fields[key] = String(word)
                rest = rest.dropFirst(word.count)
            }
        }
        return fields
    }

    /// A value up to its closing quote. The escapes are those of JSON; of them only these two are frequent.
    private static func quoted<Text: StringProtocol>(_ text: Text) -> (String, Text.SubSequence) {
        var value = ""
        var index = text.startIndex
        while index < text.endIndex, text[index] != "\"" {
            if text[index] == "\\" {
                index = text.index(after: index)
                guard index < text.endIndex else { break }
                value.append(text[index] == "n" ? " " : text[index])
            } else {
                value.append(text[index])
            }
            index = text.index(after: index)
        }
        return (value, index < text.endIndex ? text[text.index(after: index)...] : text[index...])
    }

    /// RFC 3339 with microseconds, as the log writes it. By hand: a log has a hundred thousand of them, and Foundation takes
    /// twenty times as long.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes.last == UInt8(ascii: "Z")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month)
        else { return nil }
        var fraction = 0.0
        if bytes[19] == UInt8(ascii: "."), bytes.count <= 30, let digits = number(20..<(bytes.count - 1)) {
            fraction = Double(digits) / pow(10, Double(bytes.count - 21))
        }
        // Days since 1970 in the proleptic Gregorian calendar: years begin in March, so that the leap day is the last.
        let shifted = month <= 2 ? year - 1 : year
        let (era, place) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + place * 365 + place / 4 - place / 100 + dayOfYear - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second) + fraction)
    }
}
