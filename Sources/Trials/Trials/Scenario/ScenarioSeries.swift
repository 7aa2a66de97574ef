import Configuration
import Foundation
package import Processes
import ServiceRuntime

/// Runs scenario files one after another, and reports their outcomes.
package struct ScenarioSeries {
    private let seed: UInt64
    private let junit: String?
    private let wantsJSON: Bool

    /// - Parameters:
    ///   - junit: The path of the JUnit report, if one is requested.
    ///   - wantsJSON: True if one JSON value is printed instead of text.
    package init(seed: UInt64, junit: String?, wantsJSON: Bool) {
        (self.seed, self.junit, self.wantsJSON) = (seed, junit, wantsJSON)
    }

    /// - Parameter play: Runs one scenario; its errors end the series, except invalid files. Nil only validates.
    package func run(
        _ files: some Sequence<String>, _ play: ((Scenario, _ file: String) throws -> ScenarioOutcome)?
    ) throws -> ExitCode {
        var outcomes: [ScenarioOutcome] = []
        for file in files {
            do {
                outcomes.append(try outcome(of: try Scenario(file: file), file, play))
            } catch let error as ConfigurationError {
                // One invalid file does not hide the outcomes of the others.
                outcomes.append(ScenarioOutcome(unreadable: file, error: "\(error)"))
                FileHandle.standardError.write(Data("watchlink scenario: \(error)\n".utf8))
            }
            // After each scenario, so that the report is complete even if this run is interrupted.
            if let junit { try ReportFile.write(JUnitReport.text(outcomes, seed: seed), to: junit) }
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
