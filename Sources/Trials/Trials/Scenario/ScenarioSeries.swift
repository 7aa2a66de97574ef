import Configuration
import Foundation
package import Processes
import ServiceRuntime

/// Scenario files one after the other, and what is said of them.
package struct ScenarioSeries {
    private let seed: UInt64
    private let junit: String?
    private let wantsJSON: Bool

    /// - Parameters:
    ///   - junit: The file of the outcome for a CI server, if one is wanted.
    ///   - wantsJSON: True if one JSON value takes the place of what is said.
    package init(seed: UInt64, junit: String?, wantsJSON: Bool) {
        (self.seed, self.junit, self.wantsJSON) = (seed, junit, wantsJSON)
    }

    /// - Parameter play: Plays one; what it throws ends the series, but for what is wrong with the file. Nil only looks whether the files are valid.
    package func run(
        _ files: some Sequence<String>, _ play: ((Scenario, _ file: String) throws -> ScenarioOutcome)?
    ) throws -> ExitCode {
        var outcomes: [ScenarioOutcome] = []
        for file in files {
            do {
                outcomes.append(try outcome(of: try Scenario(file: file), file, play))
            } catch let error as ConfigurationError {
                // One file that is wrong does not hide what comes of the others.
                outcomes.append(ScenarioOutcome(unreadable: file, error: "\(error)"))
                FileHandle.standardError.write(Data("watchlink: \(error)\n".utf8))
            }
            // After each: who looks at it while the next one plays, or after this run was ended, has all there is.
            if let junit { try Data(JUnitReport.text(outcomes, seed: seed).utf8).write(to: URL(filePath: junit)) }
        }
        if wantsJSON {
            try StandardOutput.print(JSONValue.array(outcomes.map { $0.json(seed: seed) }).text(pretty: true))
        }
        if outcomes.contains(where: { $0.error != nil }) { return .notConfigured }
        return outcomes.allSatisfy(\.isGood) ? .success : .failure
    }

    private func outcome(
        of scenario: Scenario, _ file: String, _ play: ((Scenario, String) throws -> ScenarioOutcome)?
    ) throws -> ScenarioOutcome {
        guard let play else {
            if !wantsJSON { try StandardOutput.print("\(file): ok, \(scenario.steps.count) steps") }
            return ScenarioOutcome(scenario, file: file, checks: [], seconds: 0)
        }
        if !wantsJSON { StandardOutput.report("\(scenario.name), seed \(seed): \(scenario.summary)") }
        let outcome = try play(scenario, file)
        if !wantsJSON { try show(outcome) }
        return outcome
    }

    private func show(_ outcome: ScenarioOutcome) throws {
        for check in outcome.checks {
            try StandardOutput.print(check.failure.map { "✘ \(check.name): \($0)" } ?? "✔ \(check.name)")
        }
        try StandardOutput.flush()
    }
}
