import ExploreWords
import Foundation
import Processes
import ServiceRuntime
import Trials
import VirtualTime

/// A run of scenario files in virtual time, once each, reported step by step as in real time.
struct ScenarioPlay {
    private let options: ParsedOptions
    private let conductor: Conductor
    private let seed: UInt64

    init(_ options: ParsedOptions, _ conductor: Conductor) throws(UsageError) {
        self.options = options
        seed = try options.number("seed", 1, within: 0...UInt64.max)
        var conductor = conductor
        conductor.settings.epoch = WorldSettings.epochOfApps
        self.conductor = conductor
    }

    func run(_ files: some Sequence<String>) throws -> ExitCode {
        try ScenarioSeries(seed: seed, junit: options["junit"], wantsJSON: options.has("json")).run(files, play)
    }

    private func play(_ scenario: Scenario, _ file: String) throws -> ScenarioOutcome {
        let start = ContinuousClock.now
        let script = try ScenarioScene(scenario, file: file, options).script(seed: seed)
        var conductor = conductor
        conductor.kept = try WorldRecording(options).map { WorldRecording.kept(in: $0.folder(ofScenario: file)) }
        let performance = try conductor.perform(script, JointCourse(seed: seed))
        if options.has("verbose") { tellLogs(performance) }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let player = performance.processes.first { $0.name == ScenarioScene.director }
        let lines = String(decoding: player?.output ?? [], as: UTF8.self).split(separator: "\n")
        if !options.has("json") {
            for line in lines where line.hasPrefix("  ") { StandardOutput.report(String(line)) }
        }
        guard let outcome = try ScenarioOutcome(in: lines, seconds: seconds) else {
            let end = ScenarioCheck("the scenario finishes", Self.ending(of: player))
            return ScenarioOutcome(scenario, file: file, checks: [end], seconds: seconds)
        }
        // Only the conductor knows how a program ended.
        return performance.processes.filter { $0.isFailure && $0.name != ScenarioScene.director }.reduce(outcome) {
            $0.with(.health(of: $1.name, "it \($1.world.ending)"))
        }
    }

    private static func ending(of player: ProcessOutcome?) -> String {
        guard let player else { return "it did not start" }
        return "it \(player.world.ending)\n\(String(decoding: player.errors, as: UTF8.self))"
    }

    private func tellLogs(_ performance: Performance) {
        for process in performance.processes where process.name != ScenarioScene.director {
            let lines = String(decoding: process.errors, as: UTF8.self).split(separator: "\n")
            let text = lines.map { "\(process.name) | \($0)\n" }.joined()
            FileHandle.standardError.write(Data(text.utf8))
        }
    }
}
