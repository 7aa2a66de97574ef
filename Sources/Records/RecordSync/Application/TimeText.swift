import Foundation
import Storage

/// The form of times in documents: RFC 3339 with milliseconds.
package enum TimeText {
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Returns a time's text.
    package static func text(_ date: Date) -> String {
        if let time = PlainTime(milliseconds: date.milliseconds) { return time.text }
        // The style truncates after the milliseconds, and milliseconds have no exact binary fraction: a time that is
        // repeatedly written and read must not drift backwards.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000).formatted(style)
    }

    /// Parses an ISO 8601 time with or without fractional seconds; nil for other text.
    package static func date(_ text: String) -> Date? {
        if let time = PlainTime(text) { return time.date }
        // The likely form first, because a failed attempt takes longer than a successful one; the caller reports a
        // failure.
        let forms = [.iso8601, style]
        return (text.utf8.contains(UInt8(ascii: ".")) ? forms.reversed() : forms).lazy
            .compactMap { try? Date(text, strategy: $0) }.first
    }
}
