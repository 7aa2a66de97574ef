import EventLog
import Foundation
import ServiceRuntime

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
        CommandOptions.sides + LogLevel.allCases.map(\.description) + LogSubsystem.allCases.map { $0.rawValue + "=" }

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var words = invocation.words[...]
        let side = words.first.flatMap { CommandOptions.sides.contains($0) ? $0 : nil } ?? "host"
        if words.first == side { words = words.dropFirst() }
        let client = try invocation.device(side)
        var levels: JSONValue = .null
        do throws(ControlClient.Failure) {
            if words.isEmpty { levels = try client.call("log.levels") }
            for word in words {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                let subsystem: JSONValue = parts.count == 2 ? .string(parts[0]) : .null
                levels = try client.call(
                    "log.set", ["subsystem": subsystem, "level": .string(parts.last ?? "")])
            }
        } catch {
            throw CommandError(error, service: side)
        }
        guard !invocation.wantsJSON else {
            print(try levels.text(pretty: true))
            return .success
        }
        print(TextTable.text(LogSubsystem.allCases.map { [$0.rawValue, levels[$0.rawValue]?.string ?? "?"] }))
        return .success
    }
}
