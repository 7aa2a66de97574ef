import Configuration
import LinkProtocol
import Words

/// One entry of a scenario's timeline.
package struct ScenarioStep: Sendable {
    /// The action of a step, with its parameters.
    enum Deed: Sendable {
        case submit(count: Int)
        case send(SendDeed.Kind, count: Int)
        case device(DeviceDeed)
        case condition(LinkCondition)
        case fault(FaultDeed)
        case watch(WatchDeed.Change, watch: Int)
        case start, stop, kill
        /// Replaces the program by its next build.
        case upgrade
        /// An action that is possible only in virtual time.
        case world(WorldDeed)
        /// Waits until the log contains a text.
        case await(log: String)
        /// Waits until everything sent has ended.
        case settle
    }

    /// The names of all actions in scenario files.
    static let names = [
        "submit", "send", "device", "condition", "fault", "release", "clear-faults", "reachability", "activation",
        "disk",
        "switch", "pair", "unpair", "complication", "start", "stop", "kill", "upgrade", "crash", "clock", "storage",
        "await", "settle",
    ]

    /// 31 days: in virtual time a month takes some minutes.
    private static let times = 0.0...31 * 86_400
    /// A day: a longer delay is a separate step.
    private static let jitters = 0.0...86_400

    /// Seconds since the scenario began.
    let time: Double
    /// The longest random delay, in seconds.
    let jitter: Double
    /// “phone”, “watch”, “watch2”…
    let device: String
    let deed: Deed
    let name: String

    /// - Throws: ``ConfigurationError`` with the file, line and key of the error.
    init(_ file: ConfigurationFile, devices: [String], after last: Double) throws {
        time = try Self.seconds(file, "at", within: Self.times) ?? last
        jitter = try Self.seconds(file, "jitter", within: Self.jitters) ?? 0
        device = try file.choice("on", among: devices.map { ($0, $0) }) ?? "watch"
        let known = Self.names.map { ($0, $0) }
        guard let name = try file.choice("do", among: known) else {
            throw file.wrong("do", "is missing; use one of \(Self.names.joined(separator: ", "))")
        }
        self.name = name
        deed = try Self.deed(name, file, devices)
    }

    /// Reads a number of seconds, or a duration such as “2h”.
    private static func seconds(
        _ file: ConfigurationFile, _ key: String, within range: ClosedRange<Double>
    ) throws(ConfigurationError) -> Double? {
        guard case .string(let text) = file.value(key) else { return try file.number(key, within: range) }
        guard let seconds = WordValue.span(text).map({ $0 / .seconds(1) }), range.contains(seconds) else {
            throw file.wrong(
                key,
                "“\(text)” is not a valid duration; use 90, 90s, 5min or 2h, up to \(Int(range.upperBound)) s")
        }
        return seconds
    }

    private static func deed(_ name: String, _ file: ConfigurationFile, _ devices: [String]) throws -> Deed {
        switch name {
        case "submit": return .submit(count: try file.count("count", within: 1...1_000) ?? 1)
        case "send":
            let kinds = SendDeed.Kind.allCases.map { ($0.rawValue, $0) }
            guard let kind = try file.choice("kind", among: kinds) else { throw file.wrong("kind", "is missing") }
            return .send(kind, count: try file.count("count", within: 1...1_000) ?? 1)
        case "device": return .device(try deed(file, "action"))
        case "condition": return .condition(try deed(file, "to"))
        case "fault": return .fault(try deed(file, "rule"))
        case "release": return .fault(.release)
        case "clear-faults": return .fault(.clear)
        case "reachability", "activation", "disk":
            return .fault(try deed(file, name == "disk" ? "fault" : "idea", try faultWords(name, file)))
        case "switch", "pair", "unpair", "complication":
            let isEnabled = name == "complication" ? try file.flag("enabled") ?? true : true
            guard let change = WatchDeed.Change(name, isEnabled: isEnabled) else {
                throw file.wrong("do", "must be one of \(WatchDeed.verbs.joined(separator: ", "))")
            }
            return .watch(change, watch: try watch(file, devices))
        case "start": return .start
        case "stop": return .stop
        case "kill": return .kill
        case "upgrade": return .upgrade
        case "crash", "clock", "storage": return .world(try WorldDeed(name, file))
        case "await":
            guard let text = try file.string("log"), !text.isEmpty else {
                throw file.wrong("log", "is missing; use a text that the device's log will contain")
            }
            return .await(log: text)
        default: return .settle
        }
    }

    private static func watch(_ file: ConfigurationFile, _ devices: [String]) throws(ConfigurationError) -> Int {
        try file.count("watch", within: 1...(devices.count - 1)) ?? 1
    }

    /// Returns the words of a fault whose parts have separate keys.
    private static func faultWords(_ name: String, _ file: ConfigurationFile) throws -> [String] {
        func option(_ key: String, _ value: String?) -> [String] { value.map { ["\(key)=\($0)"] } ?? [] }
        func number(_ key: String) throws -> String? { try file.count(key, within: 0...Int.max).map(String.init) }
        switch name {
        case "disk": return try [name, file.string("fault") ?? "none"] + option("after", number("after"))
        case "reachability":
            let silent = try file.flag("silent") == true ? ["silent"] : []
            return try [name, file.string("idea") ?? "right"] + silent + option("flap", file.string("flap"))
        default:
            return try [name] + option("delay", file.string("delay") ?? "0s") + option("failures", number("failures"))
        }
    }

    /// Parses the text of a key.
    private static func deed<Deed: WordConvertible>(_ file: ConfigurationFile, _ key: String) throws -> Deed {
        try deed(file, key, (try file.string(key) ?? "").split(separator: " ").map(String.init))
    }

    /// Parses words; an error names the key of the part, or else of the whole.
    private static func deed<Deed: WordConvertible>(
        _ file: ConfigurationFile, _ key: String, _ words: [String]
    ) throws(ConfigurationError) -> Deed {
        do {
            return try Deed(words: words)
        } catch {
            throw file.wrong(error.key.flatMap { file.value($0) == nil ? nil : $0 } ?? key, "\(error)")
        }
    }
}
