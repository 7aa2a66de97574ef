import DeviceShell
import DeviceWorlds
import ExploreWords
import Foundation
import LinkProtocol
import ServiceRuntime
import Trials
import VirtualTime
import Words

/// The parsed request of the command.
struct ExploreRequest {
    /// Returns the script of a seed's world.
    let script: @Sendable (UInt64) throws -> Script
    let seeds: ClosedRange<UInt64>
    let shard: Shard
    /// The real time after which no new seed is started.
    let span: Duration?
    /// True if no new seed is started after the first with a finding.
    let stopsAtFirst: Bool
    let jobs: Int
    /// The parameters of each seed's world.
    let world: WorldSettings
    let strategy: StrategyChoice
    /// The most performances for shrinking a failure.
    let tries: Int
    let findings: URL?
    let traces: URL?
    let recording: WorldRecording?
    /// The hints of the sessions that are failures.
    let failingHints: Set<Hint>
    let junit: String?
    let wantsJSON: Bool
    /// True if each program is expected to activate a session; the services do not.
    let expectsSessions: Bool

    private static let usualSeeds = "1...100"
    /// A few seconds for a scene of an hour.
    private static let usualTries = 60
    /// The allowed lengths; a year with two devices takes a few hours of real time.
    private static let hours = 0.001...8_760.0
    /// Each job is a thread with a few processes.
    private static let jobs = 1...256
    private static let kills = 0...1_000
    /// The allowed average intervals between events; 0 for no events.
    private static let rarities = 0...1_000_000_000

    init(_ options: ParsedOptions) throws {
        if options.has("script") {
            guard options.has("phone"), options.has("watch") else {
                throw UsageError(
                    "--phone PROGRAM and --watch PROGRAM are required; to use the services, call “explore services”")
            }
            try self.init(options, scenario: try Self.hazards(options, usual: []))
            return
        }
        let isOfOrders = try Self.isOfOrders(options)
        let scene = Scene(
            devices: try SceneDevice.all(options), hours: try options.number("hours", 1, within: Self.hours),
            kills: try options.number("kills", isOfOrders ? 0 : 1, within: Self.kills),
            hazards: try Self.hazards(options, usual: isOfOrders ? [] : DeviceHazard.usual),
            variables: try Self.variables(options), reorders: isOfOrders,
            recording: try WorldRecording(options))
        // An upgrade may be too late for the scene, which must be reported before anything runs.
        do throws(ScriptError) { _ = try scene.script(seed: 1) } catch { throw UsageError("\(error)") }
        try self.init(options) { try scene.script(seed: $0) }
    }

    /// Creates a request for the real services.
    init(services options: ParsedOptions) throws {
        if try Self.strategy(options) == .orders {
            throw UsageError("--strategy orders: not for the services, whose torture has too many packages")
        }
        if options.has("script") {
            try self.init(options, scenario: [])
            return
        }
        let scene = try ServicesScene(options)
        try self.init(options, expectsSessions: false) { try scene.script(seed: $0) }
    }

    /// Creates a request for a scenario, with only the trouble that the options request.
    private init(_ options: ParsedOptions, scenario hazards: [DeviceHazard]) throws {
        if let name = ["hours", "quizzes"].first(where: options.has) {
            throw UsageError("--\(name): not allowed with --script; the scenario's steps decide its length and traffic")
        }
        let file = options["script"] ?? ""
        let scene = try ScenarioScene(
            try Scenario(file: file), file: file, options,
            kills: try options.number("kills", 0, within: Self.kills), hazards: hazards,
            variables: try Self.variables(options), reorders: try Self.isOfOrders(options))
        // Without programs, the scenario is one of the services.
        try self.init(options, expectsSessions: options.has("phone")) { try scene.script(seed: $0) }
    }

    private init(
        _ options: ParsedOptions, expectsSessions: Bool = true, script: @escaping @Sendable (UInt64) throws -> Script
    ) throws(UsageError) {
        self.script = script
        span = try Self.span(options)
        let isEndless = span != nil && !options.has("seeds")
        seeds = isEndless ? 1...UInt64.max : try options.seeds(usual: Self.usualSeeds)
        shard = try options["shard"].map { text throws(UsageError) in try Shard(text) } ?? .whole
        stopsAtFirst = options.has("stop-at-first")
        self.expectsSessions = expectsSessions
        jobs = try options.number("jobs", ProcessInfo.processInfo.activeProcessorCount, within: Self.jobs)
        tries = try options.number("tries", Self.usualTries, within: 1...100_000)
        world = try Self.world(options)
        strategy = try Self.strategy(options)
        findings = options["findings"].map { URL(filePath: $0) }
        traces = options["traces"].map { URL(filePath: $0) }
        recording = try WorldRecording(options)
        failingHints = try Self.failingHints(options)
        if let warning = recording?.warning {
            FileHandle.standardError.write(Data("watchlink explore: \(warning)\n".utf8))
        }
        junit = options["junit"]
        wantsJSON = options.has("json")
    }

    /// Returns true if all orders are to be run, each once.
    private static func isOfOrders(_ options: ParsedOptions) throws(UsageError) -> Bool {
        guard try strategy(options) == .orders else { return false }
        guard let name = ["seeds", "shard", "kills", "hazards"].first(where: options.has) else { return true }
        throw UsageError(
            "--\(name): not allowed with --strategy orders, which varies nothing but the order of delivery")
    }

    /// Parses “none”, “all”, or a list of names.
    private static func hazards(
        _ options: ParsedOptions, usual: [DeviceHazard]
    ) throws(UsageError) -> [DeviceHazard] {
        guard let text = options["hazards"] else { return usual }
        if text == "none" { return [] }
        if text == "all" { return DeviceHazard.allCases }
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        var hazards: [DeviceHazard] = []
        for word in words {
            guard let hazard = DeviceHazard(rawValue: String(word)) else {
                let names = (words.count == 1 ? ["none", "all"] : []) + DeviceHazard.allCases.map(\.rawValue)
                throw UsageError("--hazards \(text): “\(word)” must be one of \(names.joined(separator: ", "))")
            }
            hazards.append(hazard)
        }
        return hazards
    }

    /// Parses the hints that are failures.
    private static func failingHints(_ options: ParsedOptions) throws(UsageError) -> Set<Hint> {
        do throws(WordError) {
            return try Hint.named(by: options["hints"] ?? "")
        } catch {
            throw UsageError("--hints: \(error)")
        }
    }

    /// Returns the variables of each device that options set.
    private static func variables(_ options: ParsedOptions) throws(UsageError) -> [String: String] {
        var variables = try failingHints(options).variables
        variables["TZ"] = try timeZone(options)?.identifier
        return variables
    }

    /// Parses the time zone of the devices; nil for UTC.
    private static func timeZone(_ options: ParsedOptions) throws(UsageError) -> TimeZone? {
        guard let name = options["time-zone"] else { return nil }
        guard let zone = TimeZone(identifier: name), TimeZone.knownTimeZoneIdentifiers.contains(name) else {
            throw UsageError(
                "--time-zone \(name): it must be a time zone that this machine knows, such as Europe/Berlin"
                    + NearestWord.hint(name, among: TimeZone.knownTimeZoneIdentifiers))
        }
        return zone
    }

    private static func strategy(_ options: ParsedOptions) throws(UsageError) -> StrategyChoice {
        guard let text = options["strategy"] else { return .random }
        guard let choice = StrategyChoice(text) else {
            throw UsageError("--strategy \(text): it must be \(StrategyChoice.allowed)")
        }
        return choice
    }

    private static func world(_ options: ParsedOptions) throws(UsageError) -> WorldSettings {
        var world = WorldSettings()
        world.epoch = WorldSettings.epochOfApps + (try Self.begin(options))
        if let zone = try Self.timeZone(options) {
            let start = Date(timeIntervalSince1970: Double(world.epoch / 1_000_000_000))
            world.epoch -= Int64(zone.secondsFromGMT(for: start)) * 1_000_000_000
        }
        world.preemption = UInt32(try options.number("preemption", Int(world.preemption), within: Self.rarities))
        guard let text = options["stall"] else { return world }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let span = parts.count == 1 ? .milliseconds(world.stallMilliseconds) : WordValue.span(String(parts[1]))
        guard parts.count <= 2, let rarity = Int(parts[0]), Self.rarities.contains(rarity), let span,
            (.milliseconds(1))...(.milliseconds(WorldSettings.longestStallMilliseconds)) ~= span
        else {
            throw UsageError(
                "--stall \(text): it must be 0, or N or N:SPAN with N up to \(Self.rarities.upperBound) and a span of "
                    + "1ms to 1h, such as 1000:30ms")
        }
        world.stall = UInt32(rarity)
        world.stallMilliseconds = UInt32(span / .milliseconds(1))
        return world
    }

    /// Parses the devices' time of day at which each seed begins, and returns the nanoseconds since midnight.
    private static func begin(_ options: ParsedOptions) throws(UsageError) -> Int64 {
        guard let text = options["begin"] else { return 0 }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let hour = parts[0], let minute = parts[1], (0...23).contains(hour),
            (0...59).contains(minute)
        else { throw UsageError("--begin \(text): it must be a time of day from 00:00 to 23:59, such as 23:50") }
        return Int64(hour * 60 + minute) * 60_000_000_000
    }

    private static func span(_ options: ParsedOptions) throws(UsageError) -> Duration? {
        guard let text = options["for"] else { return nil }
        guard let span = WordValue.span(text), span > .zero else {
            throw UsageError("--for \(text): it must be a span such as 60s, 10min or 8h")
        }
        return span
    }
}
