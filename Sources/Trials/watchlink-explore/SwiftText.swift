import VirtualTime

/// Values as Swift source text.
enum SwiftText {
    /// Returns a string literal.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "\""
    }

    /// Returns an identifier that resembles a name: “seed-199” becomes “seed199”, “mein fund” “meinFund”.
    static func identifier(_ name: String) -> String {
        let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let text = words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalizedFirst }.joined()
        // A digit cannot be first.
        return text.first?.isLetter == true ? text : "finding" + text
    }

    static func duration(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        if attoseconds == 0 { return seconds == 0 ? ".zero" : ".seconds(\(seconds))" }
        return ".nanoseconds(\(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))"
    }

    static func course(_ course: Course) -> String {
        let strategy =
            switch course.strategy {
            case .random: ""
            case .priorities(let depth, let steps): "strategy: .priorities(depth: \(depth), steps: \(steps)), "
            }
        let departures = course.departures.map { departure in
            let decision = departure.decision
            let place = "Place(site: 0x\(String(decision.place.site, radix: 16)), ordinal: \(decision.place.ordinal))"
            return "\n                Departure(at: \(departure.index), Decision(.\(decision.kind.name), "
                + "options: \(decision.options), taken: \(decision.taken), at: \(place))),"
        }
        let list = departures.isEmpty ? "[]" : "[\(departures.joined())\n            ]"
        let then = course.remainder == .dull ? "" : ", then: .drawn"
        return "try Course(seed: \(course.seed), \(strategy)departures: \(list), given: \(course.given)\(then))"
    }
}

extension Substring {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
