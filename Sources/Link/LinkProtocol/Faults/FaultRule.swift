public import Words

/// A fault of the link: an effect on selected packages.
public struct FaultRule: Equatable, Sendable {
    /// The effect on a package.
    public enum Effect: Equatable, Sendable {
        /// The package is lost.
        case drop
        /// The package arrives this much later.
        case delay(Duration)
        /// The package arrives twice.
        case duplicate
        /// The package waits, with all later ones in its channel, until the faults are released.
        case hold
        /// The package is lost and the link goes down for this time.
        case lose(Duration)
        /// The package waits this long for others, and those that wait then pass one after the other: each channel in
        /// its order, and the channels in any order.
        case reorder(Duration)

        /// The verb in a rule.
        package var name: String {
            switch self {
            case .drop: "drop"
            case .delay: "delay"
            case .duplicate: "duplicate"
            case .hold: "hold"
            case .lose: "lose"
            case .reorder: "reorder"
            }
        }
    }

    /// The direction of a package, as seen from the device with the fault.
    public enum Direction: String, CaseIterable, Sendable {
        /// Packages that the device sends.
        case outgoing = "out"
        /// Packages that the device receives.
        case incoming = "in"
    }

    /// The effect on the selected packages.
    public var effect: Effect
    /// The kind of package to which the fault applies.
    public var target: FaultTarget
    /// The direction to which the fault applies.
    public var direction: Direction
    /// The selection among the matching packages.
    public var selection: FaultSelection
    /// The longest random addition to a delay or to the time for which the link is down.
    public var jitter: Duration

    /// Creates a fault; by default it applies to every outgoing package of its target.
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

    /// The first words of all rules.
    public static let verbs = ["drop", "delay", "duplicate", "hold", "lose", "reorder"]

    /// Creates a fault from command words.
    ///
    /// - Parameter words: For example `drop reply`, `delay in context by=2s`, `duplicate reply probability=0.3`,
    ///   `drop user-info nth=3`, `hold user-info`, `drop message times=2`,
    ///   `lose any for=10s jitter=1m probability=0.01`, `reorder in any within=5s`.
    /// - Throws: `WordError` for a missing, unknown or surplus word, or an invalid value.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        let verb = try reader.choice("fault", among: Self.verbs)
        try self.init(verb, &reader)
    }

    /// Creates a fault from the words after the verb, which is one of ``verbs``.
    init(_ verb: String, _ reader: inout WordReader) throws(WordError) {
        let direction: Direction = reader.optional() ?? .outgoing
        let target: FaultTarget = try reader.choice(verb)
        let span = Self.spans[verb]
        let hasJitter = Self.jittery.contains(verb)
        let keys = (span.map { [$0] } ?? []) + (hasJitter ? [Self.jitterKey] : []) + FaultSelection.keys
        let options = try reader.options("\(verb) \(target.rawValue)", keys)
        switch verb {
        case "drop": self.init(.drop, target, direction)
        case "delay": self.init(.delay(try options.requiredSpan("by")), target, direction)
        case "lose": self.init(.lose(try options.requiredSpan("for")), target, direction)
        case "reorder": self.init(.reorder(try options.requiredSpan("within")), target, direction)
        case "duplicate": self.init(.duplicate, target, direction)
        default: self.init(.hold, target, direction)
        }
        selection = try FaultSelection(options)
        if hasJitter { jitter = try options.span(Self.jitterKey) ?? .zero }
    }

    /// The key of the duration that a verb requires.
    private static let spans = ["delay": "by", "lose": "for", "reorder": "within"]
    /// The verbs whose duration can vary.
    private static let jittery = ["delay", "lose"]
    private static let jitterKey = "jitter"

    /// The separator between an event and its longest duration in seconds.
    static let longest = ", for up to "

    /// The description of the effect on a package; “#” stands for its number.
    func event(_ target: FaultTarget) -> String {
        let package = "\(direction == .outgoing ? "outgoing" : "incoming") \(target.rawValue) \(Chance.numberMark)"
        switch effect {
        case .drop: return "\(package) is dropped"
        case .delay: return "\(package) is delayed"
        case .duplicate: return "\(package) comes twice"
        case .hold: return "\(package) is held"
        case .lose: return "the link is lost with \(package)"
        case .reorder: return "\(package) waits for others"
        }
    }

    /// The words from which ``init(words:)`` recreates the fault.
    package var words: [String] {
        let span: Duration? =
            switch effect {
            case .delay(let span), .lose(let span), .reorder(let span): span
            case .drop, .duplicate, .hold: nil
            }
        var options: [String] = []
        if let span, let key = Self.spans[effect.name] { options.append("\(key)=\(WordValue.text(span))") }
        if jitter > .zero { options.append("\(Self.jitterKey)=\(WordValue.text(jitter))") }
        return [effect.name, direction.rawValue, target.rawValue] + options + selection.words
    }
}

extension FaultRule: CustomStringConvertible {
    /// The fault in words, separated by spaces.
    public var description: String { words.joined(separator: " ") }
}
