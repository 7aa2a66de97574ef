/// Conditions in words, as configurations, the command line and scenarios say them.
extension LinkCondition {
    /// What is wrong with a setting.
    public struct SettingError: Error, Equatable, Sendable, CustomStringConvertible {
        public let key: String
        public let reason: String
        public var description: String { "“\(key)” \(reason)" }

        package init(key: String, reason: String) {
            self.key = key
            self.reason = reason
        }
    }

    /// Every key. Those of a direction hold for both, or with “in.” or “out.” before them for one.
    public static let keys =
        ["preset", "refuse", "accept-delay", "up", "down"] + directionKeys
    private static let directionKeys = [
        "latency", "jitter", "distribution", "bandwidth", "piece", "pause", "stall", "cut-after",
    ]

    /// - Parameter settings: For example `["preset": "bluetooth", "out.latency": "80ms", "bandwidth": "20k"]`. Durations
    ///   have a unit (us, ms, s, min); counts of bytes may end in k or M.
    public init(settings: [String: String]) throws(SettingError) {
        self.init()
        if let name = settings["preset"] {
            guard let preset = LinkPreset(rawValue: name) else {
                let names = LinkPreset.allCases.map(\.rawValue).joined(separator: ", ")
                throw SettingError(key: "preset", reason: "“\(name)” is none of \(names)")
            }
            self = preset.condition
        }
        // What holds for both goes before what holds for one.
        for key in settings.keys.sorted(by: { ($0.contains(".") ? 1 : 0, $0) < ($1.contains(".") ? 1 : 0, $1) })
        where key != "preset" {
            try set(key, settings[key] ?? "")
        }
    }

    private mutating func set(_ key: String, _ value: String) throws(SettingError) {
        switch key {
        case "refuse": refuses = try Self.flag(key, value)
        case "accept-delay": acceptDelay = try Self.duration(key, value)
        case "up": flapping = Flapping(up: try Self.duration(key, value), down: flapping?.down ?? .seconds(5))
        case "down": flapping = Flapping(up: flapping?.up ?? .seconds(10), down: try Self.duration(key, value))
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

    fileprivate static func flag(_ key: String, _ value: String) throws(SettingError) -> Bool {
        switch value {
        case "true", "yes", "on": return true
        case "false", "no", "off": return false
        default: throw SettingError(key: key, reason: "is neither “on” nor “off”")
        }
    }

    /// A span with its unit, up to an hour.
    package static func duration(_ key: String, _ value: String) throws(SettingError) -> Duration {
        let units: [(String, Double)] = [("us", 1e3), ("ms", 1e6), ("min", 60e9), ("s", 1e9)]
        for (unit, nanoseconds) in units where value.hasSuffix(unit) {
            guard let number = Double(value.dropLast(unit.count)), (0...3_600e9).contains(number * nanoseconds) else {
                break
            }
            return .nanoseconds(Int64(number * nanoseconds))
        }
        throw SettingError(key: key, reason: "“\(value)” is no span such as 80ms or 2s, of an hour at most")
    }

    fileprivate static func bytes(_ key: String, _ value: String) throws(SettingError) -> Int {
        let (digits, factor) =
            value.hasSuffix("M")
            ? (value.dropLast(), 1_000_000.0) : value.hasSuffix("k") ? (value.dropLast(), 1_000) : (value[...], 1)
        guard let number = Double(digits), (1...1e12).contains(number * factor) else {
            throw SettingError(key: key, reason: "“\(value)” is no number of bytes such as 900, 20k or 5M")
        }
        return Int(number * factor)
    }
}

extension LinkCondition.Direction {
    fileprivate mutating func set(
        _ name: String, _ value: String, _ key: String
    ) throws(LinkCondition.SettingError) {
        switch name {
        case "latency": latency = try LinkCondition.duration(key, value)
        case "jitter": jitter = try LinkCondition.duration(key, value)
        case "distribution":
            guard let distribution = LinkCondition.Distribution(rawValue: value) else {
                throw LinkCondition.SettingError(key: key, reason: "is none of uniform, normal, exponential")
            }
            self.distribution = distribution
        case "bandwidth": bytesPerSecond = try LinkCondition.bytes(key, value)
        case "piece": pieceBytes = try LinkCondition.bytes(key, value)
        case "pause": pause = try LinkCondition.duration(key, value)
        case "stall": isStalled = try LinkCondition.flag(key, value)
        case "cut-after": cutAfterBytes = Int64(try LinkCondition.bytes(key, value))
        default:
            throw LinkCondition.SettingError(
                key: key,
                reason: "is none of \(LinkCondition.keys.joined(separator: ", ")), or one with “in.” or “out.”")
        }
    }
}

extension LinkCondition: CustomStringConvertible {
    /// In the words of ``init(settings:)``, what differs from a perfect link.
    public var description: String {
        let words = words.map { "\($0.key)=\($0.value)" }
        return words.isEmpty ? "perfect" : words.joined(separator: " ")
    }

    /// What ``init(settings:)`` makes the same condition of.
    package var settings: [String: String] { Dictionary(words, uniquingKeysWith: { first, _ in first }) }

    private var words: [(key: String, value: String)] {
        var words: [(key: String, value: String)] = []
        if refuses { words.append(("refuse", "on")) }
        if acceptDelay != .zero { words.append(("accept-delay", Self.text(acceptDelay))) }
        if let flapping { words += [("up", Self.text(flapping.up)), ("down", Self.text(flapping.down))] }
        return words + (outgoing == incoming ? outgoing.words("") : outgoing.words("out.") + incoming.words("in."))
    }

    static func text(_ span: Duration) -> String {
        let milliseconds = span.inSeconds * 1_000
        return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds))ms" : "\(milliseconds)ms"
    }
}

extension LinkCondition.Direction {
    fileprivate func words(_ prefix: String) -> [(key: String, value: String)] {
        var words: [(key: String, value: String)] = []
        if latency != .zero { words.append(("latency", LinkCondition.text(latency))) }
        if jitter != .zero { words.append(("jitter", LinkCondition.text(jitter))) }
        if distribution != .uniform { words.append(("distribution", distribution.rawValue)) }
        if let bytesPerSecond { words.append(("bandwidth", "\(bytesPerSecond)")) }
        if let pieceBytes { words.append(("piece", "\(pieceBytes)")) }
        if pause != .zero { words.append(("pause", LinkCondition.text(pause))) }
        if isStalled { words.append(("stall", "on")) }
        if let cutAfterBytes { words.append(("cut-after", "\(cutAfterBytes)")) }
        return words.map { (prefix + $0.key, $0.value) }
    }
}
