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
        /// It is lost, and the link with it, which is gone for so long.
        case lose(Duration)

        /// Its word in a rule.
        package var name: String {
            switch self {
            case .drop: "drop"
            case .delay: "delay"
            case .duplicate: "duplicate"
            case .hold: "hold"
            case .lose: "lose"
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
    /// What is delayed waits, and a link that is lost is gone, up to so much longer, by chance.
    public var jitter: Duration

    public init(
        _ effect: Effect, _ target: FaultTarget, _ direction: Direction = .outgoing,
        _ selection: FaultSelection = FaultSelection(), jitter: Duration = .zero
    ) {
        self.effect = effect
        self.target = target
        self.direction = direction
        self.selection = selection
        self.jitter = jitter
    }

    /// The words that a rule begins with.
    public static let verbs = ["drop", "delay", "duplicate", "hold", "lose"]

    /// - Parameter words: For example `drop reply`, `delay in context by=2s`, `duplicate reply probability=0.3`,
    ///   `drop user-info nth=3`, `hold user-info`, `drop message times=2`, `lose any for=10s jitter=1m probability=0.01`.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        let verb = try reader.choice("fault", among: Self.verbs)
        try self.init(verb, &reader)
    }

    /// - Parameter verb: One of ``verbs``; the reader has what follows it.
    init(_ verb: String, _ reader: inout WordReader) throws(WordError) {
        let direction: Direction = reader.optional() ?? .outgoing
        let target: FaultTarget = try reader.choice(verb)
        let span = Self.spans[verb]
        let keys = (span.map { [$0, Self.jitterKey] } ?? []) + FaultSelection.keys
        let options = try reader.options("\(verb) \(target.rawValue)", keys)
        switch verb {
        case "drop": self.init(.drop, target, direction)
        case "delay": self.init(.delay(try options.requiredSpan("by")), target, direction)
        case "lose": self.init(.lose(try options.requiredSpan("for")), target, direction)
        case "duplicate": self.init(.duplicate, target, direction)
        default: self.init(.hold, target, direction)
        }
        selection = try FaultSelection(options)
        if span != nil { jitter = try options.span(Self.jitterKey) ?? .zero }
    }

    /// The key of the span that a verb needs.
    private static let spans = ["delay": "by", "lose": "for"]
    private static let jitterKey = "jitter"

    /// Between what happens and the longest time that it takes, in seconds.
    static let longest = ", for up to "

    /// What happens to a package that it meets, as one tells it; “#” is its number.
    func event(_ target: FaultTarget) -> String {
        let package = "\(direction == .outgoing ? "outgoing" : "incoming") \(target.rawValue) \(Chance.numberMark)"
        switch effect {
        case .drop: return "\(package) is dropped"
        case .delay: return "\(package) is delayed"
        case .duplicate: return "\(package) comes twice"
        case .hold: return "\(package) is held"
        case .lose: return "the link is lost with \(package)"
        }
    }

    /// In the words of ``init(words:)``.
    package var words: [String] {
        let span: Duration? =
            switch effect {
            case .delay(let span), .lose(let span): span
            case .drop, .duplicate, .hold: nil
            }
        var options: [String] = []
        if let span, let key = Self.spans[effect.name] { options.append("\(key)=\(WordValue.text(span))") }
        if jitter > .zero { options.append("\(Self.jitterKey)=\(WordValue.text(jitter))") }
        return [effect.name, direction.rawValue, target.rawValue] + options + selection.words
    }
}

extension FaultRule: CustomStringConvertible {
    /// Its words.
    public var description: String { words.joined(separator: " ") }
}
