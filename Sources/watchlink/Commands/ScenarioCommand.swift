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
        var code = ExitCode.success
        for path in words {
            let scenario: Scenario
            do {
                scenario = try Scenario(file: path)
            } catch {
                throw CommandError("\(error)", .notConfigured)
            }
            guard verb == "run" else {
                print("\(path): ok, \(scenario.steps.count) steps")
                continue
            }
            if try !play(scenario, seed, invocation) { code = .failure }
        }
        return code
    }

    private static func play(_ scenario: Scenario, _ seed: UInt64, _ invocation: Invocation) throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "wls-\(UUID().uuidString.prefix(8))")
        defer {
            // A scratch directory that cannot be removed is left to the system's own cleaning.
            try? FileManager.default.removeItem(at: directory)
        }
        let isVerbose = invocation.options.has("verbose")
        let isQuiet = invocation.wantsJSON
        if !isQuiet { print("\(scenario.name), seed \(seed): \(scenario.summary)") }
        let run = try ScenarioRun(
            scenario, seed: seed, in: directory, onEvent: { if !isQuiet { print("  \($0)") } },
            onLine: { if isVerbose { FileHandle.standardError.write(Data(($0 + "\n").utf8)) } })
        let start = ContinuousClock.now
        var checks: [ScenarioRun.Check]
        do {
            checks = try run.play()
        } catch {
            checks = [ScenarioRun.Check(name: "every step can be done", failure: "\(error)")]
        }
        let seconds = Double((ContinuousClock.now - start).components.seconds)
        if let path = invocation.options["junit"] {
            let text = JUnitReport.text(scenario, seed: seed, checks: checks, seconds: seconds)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        try show(scenario, seed, checks, isJSON: isQuiet)
        return checks.allSatisfy { $0.failure == nil }
    }

    private static func show(
        _ scenario: Scenario, _ seed: UInt64, _ checks: [ScenarioRun.Check], isJSON: Bool
    ) throws {
        guard isJSON else {
            for check in checks { print(check.failure.map { "✘ \(check.name): \($0)" } ?? "✔ \(check.name)") }
            return
        }
        print(
            try JSONValue.object([
                "scenario": .string(scenario.name), "seed": .integer(Int64(clamping: seed)),
                "checks": .array(
                    checks.map { ["name": .string($0.name), "failure": $0.failure.map { .string($0) } ?? .null] }),
            ]).text(pretty: true))
    }
}
