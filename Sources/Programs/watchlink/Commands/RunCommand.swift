import Configuration
import EventLog
import ExploreWords
import Files
import Foundation
import Processes
import ServiceRuntime
import Words

/// Runs the user's programs as linked devices.
enum RunCommand: Command {
    static let name = "run"
    static let summary = "run your own programs as a linked phone and watch"
    static let forms = [
        CommandForm(
            "run --phone PROGRAM --watch PROGRAM",
            "start both, each as a device with its own home, and print what they print; end them with Ctrl-C")
    ]
    private static let restart = OptionDefinition(
        "restart-on-rebuild", help: "restart a program when its executable is replaced")
    private static let fresh = OptionDefinition("fresh", help: "remove the homes and logs of the last run first")
    static let options =
        ExploreForm.scenario.options.filter { ["phone", "watch"].contains($0.name) }
        + [restart, fresh, CommandOptions.logLevel]
    static let examples = [
        CommandForm("run --phone .build/debug/PhoneApp --watch '.build/debug/WatchApp --quiz 3'", "run two programs"),
        CommandForm("run --phone App --watch App --restart-on-rebuild", "and restart each after “swift build”"),
        CommandForm("run --phone App --watch App --watch App --fresh", "two watches, and no data of an earlier run"),
        CommandForm("run --phone App --watch App --state-directory ./devices", "keep the devices' data here"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let options = invocation.options
        guard invocation.words.isEmpty else {
            throw UsageError(
                "unexpected “\(invocation.words[0])”; arguments of a program belong to its option: --phone 'PROGRAM ARGUMENTS'"
            )
        }
        if let level = options[CommandOptions.logLevel.name], LogLevel(name: level) == nil {
            throw WordError.unknown(level, subject: "--log-level", allowed: LogLevel.allCases.map(\.description))
        }
        let devices = try SceneDevice.all(options)
        // Before the first program starts, so that no signal leaves one behind.
        Signals.hold()
        let directory = RunDirectory.of(options)
        let lock = try directory.prepare(
            devices.map { directory.place($0.name, $0.role) }, isFresh: options.has(fresh.name))
        defer { lock.release() }
        let run = try DeviceRun(
            devices, in: directory, level: options[CommandOptions.logLevel.name],
            restarts: options.has(restart.name), isQuiet: invocation.wantsJSON)
        run.noteStart()
        let failures = try run.play()
        if invocation.wantsJSON {
            let failed = failures.map { ["device": .string($0.device), "failure": .string($0.failure)] as JSONValue }
            try StandardOutput.print(JSONValue.object(["failures": .array(failed)]).text(pretty: true))
        }
        guard let first = failures.first else { return .success }
        throw CommandError(
            "the \(first.device) failed: \(first.failure); its log: \(directory.state.log(of: first.device))")
    }
}
