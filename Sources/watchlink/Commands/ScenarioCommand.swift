import Foundation
import ServiceRuntime
import Trials

/// Plays a scenario file with the real services.
enum ScenarioCommand: Command {
    static let name = "scenario"
    static let summary = "play a file of trouble with services of its own"
    static let forms = [
        CommandForm(
            "scenario run FILE…", "play scenarios with services of their own; each states what must come of it"),
        CommandForm("scenario check FILE…", "look whether the files are valid"),
    ]
    static let options = [
        CommandOptions.seed,
        OptionDefinition("junit", placeholder: "FILE", help: "the outcome for a CI server"),
        OptionDefinition("verbose", help: "the services' logs as well"),
    ]
    static let examples = [
        CommandForm("scenario run Config/scenarios/commute.json5 --seed 7", "the same seed gives the same trouble"),
        CommandForm("scenario check Config/scenarios/*.json5", "before a commit"),
    ]
    static let vocabulary = ["run", "check"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var words = invocation.words[...]
        let verb = words.popFirst()
        guard verb == "run" || verb == "check", !words.isEmpty else {
            throw UsageError("scenario takes run or check, and files such as Config/scenarios/commute.json5")
        }
        var seed: UInt64 = 1
        if let text = invocation.options["seed"] {
            guard let number = UInt64(text) else { throw UsageError("--seed: “\(text)” must be a whole number") }
            seed = number
        }
        ScratchDirectory.removeAllOnSignals()
        var outcomes: [ScenarioOutcome] = []
        for path in words {
            do {
                let scenario = try Scenario(file: path)
                let outcome =
                    verb == "run"
                    ? try play(scenario, path, seed, invocation)
                    : ScenarioOutcome(scenario, file: path, checks: [], seconds: 0)
                outcomes.append(outcome)
                if !invocation.wantsJSON { try show(outcome, steps: scenario.steps.count, isPlayed: verb == "run") }
            } catch let error as ConfigurationError {
                // One file that is wrong does not hide what comes of the others.
                outcomes.append(ScenarioOutcome(unreadable: path, error: "\(error)"))
                FileHandle.standardError.write(Data("watchlink: \(error)\n".utf8))
            }
            // After each: who looks at it while the next one plays, or after this run was ended, has all there is.
            if let path = invocation.options["junit"] {
                try Data(JUnitReport.text(outcomes, seed: seed).utf8).write(to: URL(filePath: path))
            }
        }
        if invocation.wantsJSON {
            try StandardOutput.print(JSONValue.array(outcomes.map { $0.json(seed: seed) }).text(pretty: true))
        }
        if outcomes.contains(where: { $0.error != nil }) { return .notConfigured }
        return outcomes.allSatisfy(\.isGood) ? .success : .failure
    }

    private static func play(
        _ scenario: Scenario, _ path: String, _ seed: UInt64, _ invocation: Invocation
    ) throws -> ScenarioOutcome {
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let isVerbose = invocation.options.has("verbose")
        let isQuiet = invocation.wantsJSON
        if !isQuiet { StandardOutput.report("\(scenario.name), seed \(seed): \(scenario.summary)") }
        let run = try ScenarioRun(
            scenario, seed: seed, in: scratch.url, onEvent: { if !isQuiet { StandardOutput.report("  \($0)") } },
            onLine: { if isVerbose { FileHandle.standardError.write(Data(($0 + "\n").utf8)) } })
        let start = ContinuousClock.now
        var checks: [ScenarioRun.Check]
        do {
            checks = try run.play()
        } catch {
            checks = [ScenarioRun.Check(name: "every step can be done", failure: "\(error)")]
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return ScenarioOutcome(scenario, file: path, checks: checks, seconds: seconds)
    }

    private static func show(_ outcome: ScenarioOutcome, steps: Int, isPlayed: Bool) throws {
        guard isPlayed else { return try StandardOutput.print("\(outcome.file): ok, \(steps) steps") }
        for check in outcome.checks {
            try StandardOutput.print(check.failure.map { "✘ \(check.name): \($0)" } ?? "✔ \(check.name)")
        }
        try StandardOutput.flush()
    }
}
