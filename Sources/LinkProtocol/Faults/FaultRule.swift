public import Words

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
    public var selection: FaultSelection

    public init(
        _ effect: Effect, _ target: FaultTarget, _ direction: Direction = .outgoing,
        _ selection: FaultSelection = FaultSelection()
    ) {
        self.effect = effect
        self.target = target
        self.direction = direction
        self.selection = selection
    }

    /// The words that a rule begins with.
    public static let verbs = ["drop", "delay", "duplicate", "hold"]

    /// - Parameter words: For example `drop reply`, `delay in context by=2s`, `duplicate reply probability=0.3`,
    ///   `drop user-info nth=3`, `hold user-info`, `drop message times=2`.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        let verb = try reader.choice("fault", among: Self.verbs)
        try self.init(verb, &reader)
    }

    /// - Parameter verb: One of ``verbs``; the reader has what follows it.
    init(_ verb: String, _ reader: inout WordReader) throws(WordError) {
        let direction: Direction = reader.optional() ?? .outgoing
        let target: FaultTarget = try reader.choice(verb)
        let keys = (verb == "delay" ? ["by"] : []) + FaultSelection.keys
        let options = try reader.options("\(verb) \(target.rawValue)", keys)
        switch verb {
        case "drop": self.init(.drop, target, direction)
        case "delay": self.init(.delay(try options.requiredSpan("by")), target, direction)
        case "duplicate": self.init(.duplicate, target, direction)
        default: self.init(.hold, target, direction)
        }
        selection = try FaultSelection(options)
    }

    /// In the words of ``init(words:)``.
    package var words: [String] {
        let by: String? = if case .delay(let span) = effect { "by=\(WordValue.text(span))" } else { nil }
        return [effect.name, direction.rawValue, target.rawValue] + (by.map { [$0] } ?? []) + selection.words
    }
}

extension FaultRule: CustomStringConvertible {
    /// Its words.
    public var description: String { words.joined(separator: " ") }
}
