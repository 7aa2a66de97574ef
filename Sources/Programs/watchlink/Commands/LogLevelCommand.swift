import Configuration
import ControlSocket
import EventLog
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime
import WatchLinkServices
import Words

/// How much the services log: shown, and changed while they run.
enum LogLevelCommand: Command {
    static let name = "log-level"
    static let summary = "how much the services log"
    static let forms = [
        CommandForm("log-level [SIDE]", "the level of each subsystem, of the host if none is named"),
        CommandForm(
            "log-level [SIDE] LEVEL|SUBSYSTEM=LEVEL…",
            "change them until the next start: \(LogLevel.allCases.map(\.description).joined(separator: ", "))"),
    ]
    static let examples = [
        CommandForm("log-level companion debug", "everything that the watch does"),
        CommandForm("log-level host link=debug", "only the host's frames"),
    ]
    static let vocabulary =
        CommandOptions.sides + LogLevel.allCases.map(\.description) + LogCatalogue.subsystems.map { $0.name + "=" }

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        if let first = invocation.words.first, !first.contains("="), !vocabulary.contains(first) {
            throw WordError.unknown(first, subject: "log-level", allowed: vocabulary)
        }
        let side: DeviceRole = reader.optional() ?? .host
        let deed = reader.rest.isEmpty ? nil : try LogLevelDeed(words: reader.rest)
        let client = try invocation.device(side.rawValue)
        let levels: JSONValue
        do throws(ControlClient.Failure) {
            if let deed {
                levels = try client.call("log.set", JSONValue(deed: deed))
            } else {
                levels = try client.call("log.levels")
            }
        } catch {
            throw CommandError(error, service: side.rawValue)
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
