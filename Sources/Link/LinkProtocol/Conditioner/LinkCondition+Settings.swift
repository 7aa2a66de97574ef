public import Words

/// The textual form of conditions, for configurations, the command line and scenarios.
extension LinkCondition: WordConvertible {
    /// All keys. A key of a direction applies to both directions, or to one if prefixed with “in.” or “out.”.
    public static let keys =
        ["preset", "refuse", "accept-delay", "up", "down"] + directionKeys
    private static let directionKeys = [
        "latency", "jitter", "distribution", "bandwidth", "piece", "pause", "stall", "cut-after",
    ]

    /// Creates a condition from settings.
    ///
    /// - Parameter settings: For example `["preset": "bluetooth", "out.latency": "80ms", "bandwidth": "20k"]`.
    ///   Durations have a unit (us, ms, s, min); byte counts may end in k or M.
    /// - Throws: `WordError` for an unknown key or preset, or an invalid value.
    public init(settings: [String: String]) throws(WordError) {
        self.init()
        if let name = settings["preset"] {
            guard let preset = LinkPreset(rawValue: name) else {
                throw .unknown(name, subject: "preset", allowed: LinkPreset.allCases.map(\.rawValue))
            }
            self = preset.condition
        }
        // Keys for both directions are applied before keys for one.
        for key in settings.keys.sorted(by: { ($0.contains(".") ? 1 : 0, $0) < ($1.contains(".") ? 1 : 0, $1) })
        where key != "preset" {
            try set(key, settings[key] ?? "")
        }
    }

    /// Creates a condition from command words.
    ///
    /// - Parameter words: The name of a preset, and KEY=VALUE with the keys of ``init(settings:)``; at least one word.
    /// - Throws: `WordError` for an empty list, an unknown or repeated word, or an invalid value.
    public init(words: [String]) throws(WordError) {
        let subject = "link condition"
        let names = LinkPreset.allCases.map(\.rawValue)
        var settings: [String: String] = [:]
        for word in words {
            let equals = word.firstIndex(of: "=")
            guard equals != nil || names.contains(word) else {
                throw .unknown(word, subject: subject, allowed: names + Self.keys.dropFirst().map { $0 + "=" })
            }
            let key = equals.map { String(word[..<$0]) } ?? "preset"
            let value = equals.map { String(word[word.index(after: $0)...]) } ?? word
            guard settings.updateValue(value, forKey: key) == nil else { throw .repeated(word, subject: subject) }
        }
        guard !settings.isEmpty else { throw .missing(subject: subject, allowed: names) }
        try self.init(settings: settings)
    }

    private mutating func set(_ key: String, _ value: String) throws(WordError) {
        switch key {
        case "refuse": refuses = try WordValue.flag(key, value)
        case "accept-delay": acceptDelay = try WordValue.span(key, value)
        case "up": flapping = Flapping(up: try WordValue.span(key, value), down: flapping?.down ?? .seconds(5))
        case "down": flapping = Flapping(up: flapping?.up ?? .seconds(10), down: try WordValue.span(key, value))
        default:
            if key.hasPrefix("out.") {
                try outgoing.set(String(key.dropFirst(4)), value, key)
            } else if key.hasPrefix("in.") {
                try incoming.set(String(key.dropFirst(3)), value, key)
            } else {
                try outgoing.set(key, value, key)
                try incoming.set(key, value, key)
            }
        }
    }
}

extension LinkCondition.Direction {
    fileprivate mutating func set(_ name: String, _ value: String, _ key: String) throws(WordError) {
        switch name {
        case "latency": latency = try WordValue.span(key, value)
        case "jitter": jitter = try WordValue.span(key, value)
        case "distribution":
            guard let distribution = LinkCondition.Distribution(rawValue: value) else {
                throw .unknown(value, subject: key, allowed: LinkCondition.Distribution.allCases.map(\.rawValue))
            }
            self.distribution = distribution
        case "bandwidth": bytesPerSecond = try WordValue.bytes(key, value)
        case "piece": pieceBytes = try WordValue.bytes(key, value)
        case "pause": pause = try WordValue.span(key, value)
        case "stall": isStalled = try WordValue.flag(key, value)
        case "cut-after": cutAfterBytes = Int64(try WordValue.bytes(key, value))
        default:
            throw .unknownOption(key, subject: "link condition", allowed: LinkCondition.keys)
        }
    }
}

extension LinkCondition: CustomStringConvertible {
    /// The condition in words, separated by spaces.
    public var description: String { words.joined(separator: " ") }

    /// The differences from a perfect link, as words from which ``init(words:)`` recreates the condition.
    package var words: [String] { pairs.isEmpty ? ["perfect"] : pairs.map { "\($0.key)=\($0.value)" } }

    /// The settings from which ``init(settings:)`` recreates the condition.
    package var settings: [String: String] { Dictionary(pairs, uniquingKeysWith: { first, _ in first }) }

    private var pairs: [(key: String, value: String)] {
        var words: [(key: String, value: String)] = []
        if refuses { words.append(("refuse", "on")) }
        if acceptDelay != .zero { words.append(("accept-delay", WordValue.text(acceptDelay))) }
        if let flapping { words += [("up", WordValue.text(flapping.up)), ("down", WordValue.text(flapping.down))] }
        return words + (outgoing == incoming ? outgoing.pairs("") : outgoing.pairs("out.") + incoming.pairs("in."))
    }
}

extension LinkCondition.Direction {
    fileprivate func pairs(_ prefix: String) -> [(key: String, value: String)] {
        var words: [(key: String, value: String)] = []
        if latency != .zero { words.append(("latency", WordValue.text(latency))) }
        if jitter != .zero { words.append(("jitter", WordValue.text(jitter))) }
        if distribution != .uniform { words.append(("distribution", distribution.rawValue)) }
        if let bytesPerSecond { words.append(("bandwidth", "\(bytesPerSecond)")) }
        if let pieceBytes { words.append(("piece", "\(pieceBytes)")) }
        if pause != .zero { words.append(("pause", WordValue.text(pause))) }
        if isStalled { words.append(("stall", "on")) }
        if let cutAfterBytes { words.append(("cut-after", "\(cutAfterBytes)")) }
        return words.map { (prefix + $0.key, $0.value) }
    }
}
