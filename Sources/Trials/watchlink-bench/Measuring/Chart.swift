/// Draws the measurements as bars, each relative to its reference or its goal.
enum Chart {
    private static let (width, left, row) = (900, 330, 24)

    static func svg(_ reports: [Report]) -> String {
        var y = 30
        var body = ""
        for report in reports {
            body += text(10, y, escaped(report.title), weight: "bold")
            y += row
            for measurement in report.rows {
                let (share, label) = share(measurement)
                let colour = measurement.isMet == false ? "#cf222e" : "#1a7f37"
                let length = max(1, Int(min(share, 1.5) / 1.5 * Double(width - left - 220)))
                body += text(20, y, escaped(measurement.name), weight: "normal")
                body += "<rect x=\"\(left)\" y=\"\(y - 12)\" width=\"\(length)\" height=\"14\" fill=\"\(colour)\"/>\n"
                body += text(left + length + 8, y, escaped(label), weight: "normal")
                y += row
            }
            y += row / 2
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(y)" font-family="sans-serif" font-size="13">
            <rect width="100%" height="100%" fill="#ffffff"/>
            \(body)</svg>

            """
    }

    /// Returns the length of a bar, where 1 equals the reference or the goal, and its label.
    private static func share(_ row: Measurement) -> (Double, String) {
        let value = Measurement.text(row.value, row.unit)
        if let ratio = row.ratio {
            return (ratio, "\(value), \(Measurement.ratio(ratio)) of \(row.reference?.name ?? "")")
        }
        switch row.goal {
        case .atLeast(let wanted): return (row.value / wanted, "\(value), target \(row.goalText)")
        case .atMost(let allowed): return (row.value / allowed, "\(value), target \(row.goalText)")
        default: return (1, value)
        }
    }

    private static func text(_ x: Int, _ y: Int, _ words: String, weight: String) -> String {
        "<text x=\"\(x)\" y=\"\(y)\" font-weight=\"\(weight)\">\(words)</text>\n"
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
            .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
    }
}
