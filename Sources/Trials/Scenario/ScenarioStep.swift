import LinkProtocol
import ServiceRuntime

/// One line of a scenario's timeline.
package struct ScenarioStep: Sendable {
    /// What is done, with what it needs.
    enum Deed: Sendable {
        case submit(count: Int)
        case send(kind: String, count: Int)
        case device(action: String)
        case condition([String: String])
        case fault(words: [String])
        case release
        case clearFaults
        case reachability(ReachabilityFault.Idea, isSilent: Bool, flap: String?)
        case activation(delay: String, failures: Int)
        case disk(fault: String, after: Int)
        case watches(verb: String, watch: Int)
        case start, stop, kill
        /// Waits until all that was sent has its end.
        case settle
    }

    /// Every deed, as files name it.
    static let names = [
        "submit", "send", "device", "condition", "fault", "release", "clear-faults", "reachability", "activation",
        "disk",
        "switch", "pair", "unpair", "start", "stop", "kill", "settle",
    ]

    /// Seconds since the scenario began.
    let time: Double
    /// As much later as chance wants, at most, in seconds.
    let jitter: Double
    /// “phone”, “watch”, “watch2”…
    let device: String
    let deed: Deed
    let name: String

    /// - Throws: What is wrong with it, with file, line and key.
    init(_ file: ConfigurationFile, devices: [String], after last: Double) throws {
        time = try file.number("at", within: 0...3_600) ?? last
        jitter = try file.number("jitter", within: 0...60) ?? 0
        device = try file.choice("on", among: devices.map { ($0, $0) }) ?? "watch"
        let known = Self.names.map { ($0, $0) }
        guard let name = try file.choice("do", among: known) else {
            throw file.wrong("do", "is missing: one of \(Self.names.joined(separator: ", "))")
        }
        self.name = name
        deed = try Self.deed(name, file, devices)
    }

    private static func deed(_ name: String, _ file: ConfigurationFile, _ devices: [String]) throws -> Deed {
        switch name {
        case "submit": return .submit(count: try file.count("count", within: 1...1_000) ?? 1)
        case "send":
            let kinds = ["message", "context", "user-info", "complication", "file"].map { ($0, $0) }
            guard let kind = try file.choice("kind", among: kinds) else { throw file.wrong("kind", "is missing") }
            return .send(kind: kind, count: try file.count("count", within: 1...1_000) ?? 1)
        case "device":
            guard let action = try file.string("action") else { throw file.wrong("action", "is missing") }
            return .device(action: action)
        case "condition": return .condition(try condition(file))
        case "fault":
            let words = try file.string("rule")?.split(separator: " ").map(String.init) ?? []
            do {
                _ = try FaultRule(words: words)
            } catch {
                throw file.wrong("rule", "\(error)")
            }
            return .fault(words: words)
        case "release": return .release
        case "clear-faults": return .clearFaults
        case "reachability":
            let ideas = ReachabilityFault.Idea.allCases.map { ($0.rawValue, $0) }
            return .reachability(
                try file.choice("idea", among: ideas) ?? .right, isSilent: try file.flag("silent") ?? false,
                flap: try file.string("flap"))
        case "activation":
            return .activation(
                delay: try file.string("delay") ?? "0s", failures: try file.count("failures", within: 0...1_000) ?? 0)
        case "disk":
            let faults = ["none", "full", "error", "read-only"].map { ($0, $0) }
            return .disk(
                fault: try file.choice("fault", among: faults) ?? "none",
                after: try file.count("after", within: 0...1_000_000) ?? 0)
        case "switch", "pair", "unpair":
            return .watches(verb: name, watch: try file.count("watch", within: 1...(devices.count - 1)) ?? 1)
        case "start": return .start
        case "stop": return .stop
        case "kill": return .kill
        default: return .settle
        }
    }

    private static func condition(_ file: ConfigurationFile) throws -> [String: String] {
        guard let text = try file.string("to") else {
            throw file.wrong("to", "is missing, such as “bluetooth latency=80ms”")
        }
        var settings: [String: String] = [:]
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            settings[parts.count == 2 ? parts[0] : "preset"] = parts.last
        }
        do {
            _ = try LinkCondition(settings: settings)
        } catch {
            throw file.wrong("to", "\(error)")
        }
        return settings
    }
}
