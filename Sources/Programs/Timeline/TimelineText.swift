import Foundation

/// Texts in SVG and HTML.
enum TimelineText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            // XML 1.0 allows no other control characters.
            case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": result += "�"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Returns a text that fits between two life lines.
    static func shortened(_ text: String) -> String {
        // The characters of the picture's font between two lines.
        let most = 64
        return text.count > most ? "\(text.prefix(most - 1))…" : text
    }

    /// Returns the time of day with milliseconds in UTC, as in the logs.
    static func clock(_ date: Date) -> String {
        let milliseconds = Int64((date.timeIntervalSince1970 * 1_000).rounded())
        let (ms, s, m, h) = (
            milliseconds % 1_000, milliseconds / 1_000 % 60, milliseconds / 60_000 % 60, milliseconds / 3_600_000 % 24
        )
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(h)):\(two(m)):\(two(s)).\(ms < 100 ? "0" : "")\(two(ms))"
    }

    static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<1: "\(Int((seconds * 1_000).rounded())) ms"
        case ..<120: String(format: "%.1f s", seconds)
        case ..<7_200: "\(Int(seconds / 60)) min"
        default: String(format: "%.1f h", seconds / 3_600)
        }
    }

    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}
