import Configuration
import Foundation
import Processes
import ServiceRuntime
import Trials

/// A program that plays a scenario in its devices' virtual time, where the conductor starts and kills them on request.
@main
enum WatchLinkScenario {
    static func main() {
        ToolProgram.run("watchlink-scenario", options: ScenarioPlayerWords.options, help: help) { parsed in
            guard let directory = parsed["directed"], let text = parsed["text"], let file = parsed["file"],
                parsed.operands.isEmpty
            else {
                throw UsageError("--directed, --text and --file are required; users call “watchlink scenario run”")
            }
            let seed = try parsed.number("seed", UInt64(1), within: 0...UInt64.max)
            let scenario = try Scenario(text: text, of: file)
            let devices = ScenarioDevice.all(scenario, parsed.has("programs") ? .program : .service, in: directory)
            let processes = DirectedProcesses(in: directory) { deed in
                try StandardOutput.print("virtual-time: \(deed)")
                try StandardOutput.flush()
            }
            let run = try ScenarioRun(
                scenario, seed: seed, with: devices, processes, isRecorded: parsed.has("recorded"), in: directory
            ) { StandardOutput.report("  \($0)") }
            return try tell(run.play(file: file), seed)
        }
    }

    private static func tell(_ outcome: ScenarioOutcome, _ seed: UInt64) throws -> ExitCode {
        try StandardOutput.print(ScenarioOutcome.mark + outcome.json(seed: seed).text())
        for finding in outcome.checks.compactMap(\.finding) {
            FileHandle.standardError.write(Data("\(finding)\n".utf8))
        }
        return outcome.isGood ? .success : .failure
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-scenario: plays a scenario in virtual time.
        “watchlink explore --script” and “watchlink scenario run --virtual” start it.

        Options:
        \(parser.help)

        Exit codes: 0 all checks hold, 1 a check fails, 2 usage error.
        """
    }
}
