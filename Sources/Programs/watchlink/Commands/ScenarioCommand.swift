import Configuration
import ExploreWords
import Foundation
import Processes
import ServiceRuntime
import Trials

/// Plays a scenario file with the real services or with other programs.
enum ScenarioCommand: Command {
    static let name = "scenario"
    static let summary = "play a file of steps and faults with the services or your programs"
    static let forms = [
        CommandForm(
            "scenario run FILE…", "play scenarios with their own services and check their expectations"),
        CommandForm("scenario run FILE… --phone PROGRAM --watch PROGRAM", "play them with your programs"),
        CommandForm("scenario run FILE… --virtual", "play them in virtual time: an hour takes about a second"),
        CommandForm("scenario check FILE…", "check that the files are valid"),
    ]
    private static let virtual = OptionDefinition(
        "virtual", help: "use virtual time, where the seed also decides the order of all events")
    static let options = ExploreForm.scenario.options + [virtual]
    static let examples = [
        CommandForm("scenario run Config/scenarios/commute.json5 --seed 7", "the seed decides random choices"),
        CommandForm(
            "scenario run reboot.json5 --phone PhoneApp --watch 'WatchApp --quiz 3' --virtual", "use your own apps"),
        CommandForm("scenario check Config/scenarios/*.json5", "check before a commit"),
    ]
    static let vocabulary = ["run", "check"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let (options, files) = (invocation.options, invocation.words.dropFirst())
        let verb = invocation.words.first
        guard verb == "run" || verb == "check", !files.isEmpty else {
            throw UsageError("scenario needs run or check, and files such as Config/scenarios/commute.json5")
        }
        let seed = try options.number("seed", UInt64(1), within: 0...UInt64.max)
        let series = ScenarioSeries(seed: seed, junit: options["junit"], wantsJSON: invocation.wantsJSON)
        if verb == "check" { return try series.run(files, nil) }
        if let warning = try WorldRecording(options)?.warning {
            FileHandle.standardError.write(Data("watchlink scenario: \(warning)\n".utf8))
        }
        if options.has(virtual.name) {
            return try ExploreCommand.replaceThisProgram(
                [ExploreForm.scenario.rawValue] + files, options.without(virtual.name), ExploreForm.scenario.options)
        }
        ScratchDirectory.removeAllOnSignals()
        return try series.run(files) { try play($0, $1, seed, invocation) }
    }

    private static func play(
        _ scenario: Scenario, _ path: String, _ seed: UInt64, _ invocation: Invocation
    ) throws -> ScenarioOutcome {
        let cast = try ScenarioCast(invocation.options, of: scenario)
        let scratch = try ScratchDirectory()
        defer { scratch.remove() }
        let (isVerbose, isQuiet) = (invocation.options.has("verbose"), invocation.wantsJSON)
        let devices = ScenarioDevice.all(scenario, cast.kind, in: scratch.path)
        let recording = try WorldRecording(invocation.options)
        let processes = OwnProcesses(
            variables: recording.map { $0.variables(into: URL(filePath: $0.folder(ofScenario: path)).path) } ?? [:],
            builds: { cast.builds(of: $0) },
            onLine: { if isVerbose { FileHandle.standardError.write(Data(($0 + "\n").utf8)) } })
        let run = try ScenarioRun(
            scenario, seed: seed, with: devices, processes, isRecorded: recording != nil, in: scratch.path
        ) { if !isQuiet { StandardOutput.report("  \($0)") } }
        return run.play(file: path)
    }
}
