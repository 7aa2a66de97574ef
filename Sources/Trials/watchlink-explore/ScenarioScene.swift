import DeviceWorlds
import ExploreWords
import Foundation
import LinkProtocol
import ServiceRuntime
import Trials
import VirtualTime

/// The devices of a scenario, and the director that plays it in their world.
struct ScenarioScene {
    static let director = "scenario"
    /// The most time after the last step. A day: each wait is given up after a minute, and the performance ends with
    /// the scenario.
    private static let rest: Duration = .seconds(86_400)
    /// The longest scenario, 100,000 bytes: an argument can have up to 128 KiB on Linux.
    private static let mostBytes = 100_000

    let scenario: Scenario
    private let file: String
    private let text: String
    private let cast: ScenarioCast
    /// The most kills of each device by a seed.
    private let kills: Int
    /// The kinds of trouble that a seed can cause to each program.
    private let hazards: [DeviceHazard]
    /// Further variables of each device.
    private let variables: [String: String]
    /// True if packages that arrive at about the same time are delivered in any order.
    private let reorders: Bool
    /// The recording of each device; nil for none.
    private let recording: WorldRecording?

    init(
        _ scenario: Scenario, file: String, _ options: ParsedOptions, kills: Int = 0, hazards: [DeviceHazard] = [],
        variables: [String: String] = [:], reorders: Bool = false
    ) throws {
        (self.scenario, self.file, self.kills, self.hazards) = (scenario, file, kills, hazards)
        (self.variables, self.reorders) = (variables, reorders)
        recording = try WorldRecording(options)
        text = try String(contentsOfFile: file, encoding: .utf8)
        guard text.utf8.count <= Self.mostBytes else {
            throw UsageError(
                "\(file) has \(text.utf8.count) bytes: in virtual time a scenario can have at most \(Self.mostBytes)")
        }
        cast = try ScenarioCast(options, of: scenario)
        do { try scenario.check(for: cast.kind, isVirtual: true) } catch { throw UsageError("\(file): \(error)") }
    }

    /// Returns the reason why a scenario cannot be performed with its programs, whatever the seed; nil if it can.
    static func obstacle(in performance: Performance) -> String? {
        guard let player = performance.processes.first(where: { $0.name == director }) else { return nil }
        return String(decoding: player.errors, as: UTF8.self).split(separator: "\n")
            .first { $0.contains(ScenarioRun.uncontrollable) }.map { String($0.trimmingPrefix("FINDING: ")) }
    }

    /// Returns the failures without the director's if that only repeats one of a device.
    static func withoutEcho(_ complaints: [Complaint]) -> [Complaint] {
        let echoes = complaints.compactMap { ScenarioCheck.health(of: $0.device, "").finding }
        return complaints.filter { complaint in
            guard complaint.device == director, case .failed(let line) = complaint.ending else { return true }
            return !echoes.contains { line.hasPrefix($0) }
        }
    }

    func script(seed: UInt64) throws(ScriptError) -> Script {
        let path = TrialServices.ownPrograms.appending(path: ExploreForm.player).path(percentEncoded: false)
        // The arguments contain the whole scenario, so that a finding is self-contained.
        let words = ["--directed", Program.directoryMark, "--text", text, "--file", file, "--seed", "\(seed)"]
        let player = Program(
            name: Self.director, executable: path,
            arguments: words + (cast.kind == .program ? ["--programs"] : [])
                + (recording == nil ? [] : ["--recorded"]))
        let devices = ScenarioDevice.all(scenario, cast.kind, in: Program.directoryMark)
        return try Script(
            [.init(at: .zero, .start(player))], end: scenario.length + Self.rest,
            direction: Direction(director: Self.director, cast: devices.flatMap(programs)),
            hazards: devices.map {
                Hazard(
                    $0.name, kills: kills, pause: Hazard.pause(in: scenario.length), until: scenario.length,
                    bringing: hazards)
            })
    }

    private func programs(_ device: ScenarioDevice) -> [Program] {
        var environment = device.environment
        if cast.kind == .program { environment["WATCHLINK_HAZARDS"] = DeviceHazard.words(forSession: hazards) }
        environment.merge(variables) { $1 }
        environment.merge(recording?.variables ?? [:]) { $1 }
        if reorders { environment.merge(DeliveryReordering.variables) { $1 } }
        return cast.builds(of: device).map { words in
            Program(
                name: device.name, executable: words.first ?? "", arguments: device.arguments(Array(words.dropFirst())),
                environment: environment)
        }
    }
}
