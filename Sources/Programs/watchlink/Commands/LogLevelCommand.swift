import Configuration
import ControlSocket
import EventLog
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import Services
import Words

/// Shows and changes the log levels of running services.
enum LogLevelCommand: Command {
    static let name = "log-level"
    static let summary = "show or change the log levels of the services"
    static let forms = [
        CommandForm("log-level [SIDE]", "show the level of each subsystem; by default of the host"),
        CommandForm(
            "log-level [SIDE] LEVEL|SUBSYSTEM=LEVEL…",
            "change levels until the next start: \(LogLevel.allCases.map(\.description).joined(separator: ", "))"),
    ]
    static let examples = [
        CommandForm("log-level companion debug", "log everything on the watch"),
        CommandForm("log-level host link=debug", "log the host's frames"),
    ]
    static let vocabulary =
        CommandOptions.sides + LogLevel.allCases.map(\.description) + LogCatalogue.subsystems.map { $0.name + "=" }

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        if let first = invocation.words.first, !first.contains("="), !vocabulary.contains(first) {
            throw WordError.unknown(first, subject: "log-level", allowed: vocabulary)
        }
        let device = try invocation.device(&reader) ?? invocation.phone()
        let deed = reader.rest.isEmpty ? nil : try LogLevelDeed(words: reader.rest)
        let client = try invocation.client(of: device)
        let levels: JSONValue
        do throws(ControlClient.Failure) {
            if let deed {
                levels = try client.call("log.set", JSONValue(deed: deed))
            } else {
                levels = try client.call("log.levels")
            }
        } catch {
            throw CommandError(error, of: device)
        }
        guard !invocation.wantsJSON else {
            try StandardOutput.print(levels.text(pretty: true))
            return .success
        }
        try StandardOutput.print(
            TextTable.text(LogCatalogue.subsystems.map { [$0.name, levels[$0.name]?.string ?? "?"] }))
        return .success
    }
}
