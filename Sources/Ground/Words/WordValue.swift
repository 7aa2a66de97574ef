package import Foundation

/// Parsing of values: durations with a unit, numbers of bytes, switches.
package enum WordValue {
    /// The longest duration of a fault. One hour: nobody waits longer for it to end.
    private static let longestTrouble: Duration = .seconds(3_600)

    /// The units by suffix. “min” and “ms” contain other suffixes, and must come before them.
    private static let units: [(name: String, nanoseconds: Double)] = [
        ("us", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9), ("m", 60e9), ("h", 3_600e9), ("d", 86_400e9),
    ]

    /// Parses the duration of a fault with its unit, up to one hour.
    package static func span(_ key: String, _ value: String) throws(WordError) -> Duration {
        guard let span = span(value), span <= longestTrouble else {
            throw .wrongValue(value, key: key, form: "a duration such as 80ms, 2s or 1min, up to one hour")
        }
        return span
    }

    /// Parses a duration with its unit: us, ms, s, min or m, h, d. Returns nil if the text is not a duration, or if its
    /// nanoseconds do not fit into 64 bits.
    package static func span(_ text: String) -> Duration? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count)), number >= 0,
            let nanoseconds = Int64(exactly: (number * unit.nanoseconds).rounded(.down))
        else { return nil }
        return .nanoseconds(nanoseconds)
    }

    /// Parses a number of bytes, which may end in k or M.
    package static func bytes(_ key: String, _ value: String) throws(WordError) -> Int {
        let (digits, factor) =
            value.hasSuffix("M")
            ? (value.dropLast(), 1_000_000.0) : value.hasSuffix("k") ? (value.dropLast(), 1_000) : (value[...], 1)
        guard let number = Double(digits), (1...1e12).contains(number * factor) else {
            throw .wrongValue(value, key: key, form: "a number of bytes such as 900, 20k or 5M")
        }
        return Int(number * factor)
    }

    package static func flag(_ key: String, _ value: String) throws(WordError) -> Bool {
        switch value {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw .wrongValue(value, key: key, form: "“on” or “off”")
        }
    }

    package static func uuid(_ key: String, _ value: String) throws(WordError) -> UUID {
        guard let uuid = UUID(uuidString: value) else {
            throw .wrongValue(value, key: key, form: "a UUID such as 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60")
        }
        return uuid
    }

    /// Returns the shortest text that ``span(_:_:)`` parses as the same duration.
    package static func text(_ span: Duration) -> String {
        let milliseconds = span / .milliseconds(1)
        return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds))ms" : "\(milliseconds)ms"
    }
}
