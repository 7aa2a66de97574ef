import Foundation

/// One fault: what happens to which packages.
public struct FaultRule: Equatable, Sendable {
    public enum Effect: Equatable, Sendable {
        case drop
        case delay(Duration)
        /// It comes twice.
        case duplicate
        /// It waits, and all behind it in its channel, until the faults are released.
        case hold

        /// Its word in a rule.
        package var name: String {
            switch self {
            case .drop: "drop"
            case .delay: "delay"
            case .duplicate: "duplicate"
            case .hold: "hold"
            }
        }
    }

    public enum Direction: String, CaseIterable, Sendable {
        case outgoing = "out"
        case incoming = "in"
    }

    public var effect: Effect
    public var target: FaultTarget
    public var direction: Direction
    /// Only the one of this number among those that match, counted from 1; nil for all.
    public var nth: Int?
    public var probability = 1.0
    /// At most so often; nil for ever.
    public var limit: Int?

    public init(_ effect: Effect, _ target: FaultTarget, _ direction: Direction = .outgoing) {
        self.effect = effect
        self.target = target
        self.direction = direction
    }

    /// What is wrong with the words of a rule.
    public struct WordError: Error, Equatable, Sendable, CustomStringConvertible {
        public let description: String
    }

    /// - Parameter words: For example `drop reply`, `delay in context by=2s`, `duplicate reply probability=0.3`,
    ///   `drop user-info nth=3`, `hold user-info`, `drop message times=2`.
    public init(words: [String]) throws(WordError) {
        var words = words[...]
        let verb = words.popFirst() ?? ""
        var direction = Direction.outgoing
        if let word = words.first, let named = Direction(rawValue: word) {
            direction = named
            words.removeFirst()
        }
        guard let word = words.popFirst(), let target = FaultTarget(rawValue: word) else {
            let names = FaultTarget.allCases.map(\.rawValue).joined(separator: ", ")
            throw WordError(description: "behind “\(verb)” comes “in” or “out”, if need be, and then one of \(names)")
        }
        var span: Duration?
        var options: [(String, String)] = []
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw WordError(description: "“\(word)” is no KEY=VALUE") }
            guard parts[0] == "by" else {
                options.append((parts[0], parts[1]))
                continue
            }
            do {
                span = try LinkCondition.duration("by", parts[1])
            } catch {
                throw WordError(description: "\(error)")
            }
        }
        switch (verb, span) {
        case ("drop", nil): self.init(.drop, target, direction)
        case ("duplicate", nil): self.init(.duplicate, target, direction)
        case ("hold", nil): self.init(.hold, target, direction)
        case ("delay", let span?): self.init(.delay(span), target, direction)
        case ("delay", nil): throw WordError(description: "“delay” needs a span, such as by=2s")
        default: throw WordError(description: "“\(verb)” is none of drop, delay, duplicate, hold, or takes no “by”")
        }
        for (key, value) in options { try set(key, value) }
    }

    private mutating func set(_ key: String, _ value: String) throws(WordError) {
        switch key {
        case "nth":
            guard let number = Int(value), number > 0 else { throw WordError(description: "nth is a number from 1") }
            nth = number
        case "times":
            guard let number = Int(value), number > 0 else { throw WordError(description: "times is a number from 1") }
            limit = number
        case "probability":
            guard let number = Double(value), (0...1).contains(number) else {
                throw WordError(description: "probability is a number from 0 to 1")
            }
            probability = number
        default: throw WordError(description: "“\(key)” is none of by, nth, times, probability")
        }
    }
}

extension FaultRule: CustomStringConvertible {
    /// In the words of ``init(words:)``.
    public var description: String {
        let by: String? = if case .delay(let span) = effect { "by=\(LinkCondition.text(span))" } else { nil }
        let options = [
            by, nth.map { "nth=\($0)" }, limit.map { "times=\($0)" },
            probability == 1 ? nil : "probability=\(probability)",
        ]
        return ([effect.name, direction.rawValue, target.rawValue] + options.compactMap { $0 }).joined(separator: " ")
    }
}
