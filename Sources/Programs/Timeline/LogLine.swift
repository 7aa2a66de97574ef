import EventLog
import Foundation
import Services

/// A parser of log lines in text and JSON form. It works on bytes: a log has millions of lines, and strings cost ten
/// times as much.
package enum LogLine {
    private static let events = Dictionary(uniqueKeysWithValues: LogCatalogue.events.map { ($0.text, $0) })

    /// Parses a line; nil if it is not from a service's log, such as another program's output or a truncated line.
    ///
    /// - Parameter watch: The watch whose log it is, if it is a watch's.
    package static func parse(_ line: UnsafeRawBufferPointer, watch: String = "") -> TimelineEvent? {
        guard let found = line.first == UInt8(ascii: "{") ? json(line) : text(line) else { return nil }
        return TimelineEvent(
            time: found.time, side: found.side, watch: found.side == .companion ? watch : found.fields["device"],
            event: found.event, fields: found.fields)
    }

    private typealias Found = (time: Date, side: TimelineSide, event: LogEvent, fields: [String: String])

    private static func json(_ line: UnsafeRawBufferPointer) -> Found? {
        // A line that is not JSON is not from a service: nil is the answer.
        guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any],
            let time = (object["time"] as? String).flatMap(date),
            let side = (object["service"] as? String).flatMap(TimelineSide.init(rawValue:)),
            let event = (object["event"] as? String).flatMap({ events[$0] })
        else { return nil }
        let fields = object.filter { !["time", "level", "service", "event"].contains($0.key) }
        return (time, side, event, fields.mapValues { ($0 as? NSNumber).map { "\($0)" } ?? "\($0)" })
    }

    private static func text(_ line: UnsafeRawBufferPointer) -> Found? {
        var words = LogLineScanner(line)
        guard let time = date(words.next()), LogLevel(name: words.next().text) != nil,
            let service = words.next(endingWith: UInt8(ascii: ":")), let side = TimelineSide(rawValue: service.text)
        else { return nil }
        guard let event = events[words.plainText()] else { return nil }
        return (time, side, event, words.fields())
    }

    static func date(_ text: String) -> Date? { Array(text.utf8).withUnsafeBytes { date(LogLineScanner.Word($0)) } }

    /// Parses RFC 3339 with microseconds, as the log writes it. Custom code: Foundation takes twenty times as long.
    private static func date(_ word: LogLineScanner.Word) -> Date? {
        let bytes = word.bytes
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
        // Days since 1970 in the proleptic Gregorian calendar; years begin in March, so that the leap day is the last
        // day.
        let shifted = month <= 2 ? year - 1 : year
        let (era, place) = (shifted / 400, shifted % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + place * 365 + place / 4 - place / 100 + dayOfYear - 719_468
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second) + fraction)
    }
}
