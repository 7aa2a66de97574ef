package import Foundation

/// Values in words: spans with a unit, counts of bytes, switches.
package enum WordValue {
    /// Longest span. An hour: nobody waits longer for trouble.
    private static let longestSpan = 3_600e9

    private static let units: [(name: String, nanoseconds: Double)] = [
        ("us", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9),
    ]

    /// A span with its unit, up to an hour.
    package static func span(_ key: String, _ value: String) throws(WordError) -> Duration {
        // The first unit that fits: “ms” ends in “s” as well.
        if let unit = units.first(where: { value.hasSuffix($0.name) }),
            let number = Double(value.dropLast(unit.name.count)),
            (0...longestSpan).contains(number * unit.nanoseconds)
        {
            return .nanoseconds(Int64(number * unit.nanoseconds))
        }
        throw .wrongValue(value, key: key, form: "a span such as 80ms, 2s or 1min, of an hour at most")
    }

    /// A count of bytes, which may end in k or M.
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
            throw .wrongValue(value, key: key, form: "a UUID like 9B0C6E5E-3F0A-4C57-8E9B-1D2C3B4A5F60")
        }
        return uuid
    }

    /// The shortest text that ``span(_:_:)`` reads as the same span.
    package static func text(_ span: Duration) -> String {
        let milliseconds = span / .milliseconds(1)
        return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds))ms" : "\(milliseconds)ms"
    }
}
