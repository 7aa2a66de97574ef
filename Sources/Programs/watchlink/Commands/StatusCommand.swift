import Configuration
import ControlSocket
import Foundation
import LinkProtocol
import Processes
import ServiceRuntime

/// Shows the status of both services.
enum StatusCommand: Command {
    static let name = "status"
    static let summary = "show the status of both services, or of the programs of a run"
    static let forms = [
        CommandForm("status", "show session, reachability and counts of both services, or of the programs of a run")
    ]
    static let examples = [
        CommandForm("status", "exits with 7 if one is not running, 150 if one does not answer"),
        CommandForm("status --json", "print the status as JSON"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("status takes no arguments") }
        let devices = try invocation.devices()
        let answers = EachDevice.ask(devices) { status(of: $0, invocation) }
        let sides = Array(zip(devices, answers))
        if invocation.wantsJSON {
            let values = sides.map { ($0.name, json($1)) }
            try StandardOutput.print(
                JSONValue.object(Dictionary(values, uniquingKeysWith: { first, _ in first })).text(pretty: true))
        } else {
            try StandardOutput.print(sides.map(text).joined(separator: "\n\n"))
        }
        // Scripts test the exit code. A service that does not answer is worse than one that is not running.
        let codes = answers.compactMap { answer in if case .failure(let error) = answer { error.code } else { nil } }
        return codes.first { $0 != .notRunning } ?? codes.first ?? .success
    }

    private static func status(of device: CommandDevice, _ invocation: Invocation) -> Result<JSONValue, CommandError> {
        do {
            return .success(try invocation.client(of: device).call("status"))
        } catch {
            return .failure(CommandError(any: error, of: device))
        }
    }

    /// Returns the status as JSON; null for a service that is not running.
    private static func json(_ answer: Result<JSONValue, CommandError>) -> JSONValue {
        switch answer {
        case .success(let status): status
        case .failure(let error): error.code == .notRunning ? .null : ["problem": .string(error.message)]
        }
    }

    private static func text(_ device: CommandDevice, _ answer: Result<JSONValue, CommandError>) -> String {
        switch answer {
        case .success(let status): text(device, status)
        case .failure(let error): "\(device.name): \(error.code == .notRunning ? "not running" : error.message)"
        }
    }

    private static func text(_ device: CommandDevice, _ status: JSONValue) -> String {
        func words(_ object: JSONValue?, _ keys: [String]) -> String {
            keys.map { "\($0) \(object?[$0]?.integer ?? 0)" }.joined(separator: ", ")
        }
        var rows = [
            ["  process", "\(status["process"]?.integer ?? 0), up \(Int(status["uptimeSeconds"]?.number ?? 0)) s"],
            [
                "  session",
                "\(status["session"]?.string ?? "?"), \(status["reachable"]?.boolean == true ? "reachable" : "not reachable")",
            ],
            ["  connected", "\(status["peers"]?.array?.count ?? 0)"],
        ]
        if let call = OverdueCall(status) { rows.append(["  delegate", call.text]) }
        switch (device.kind, device.role) {
        case (.program, _): break
        case (.service, .companion):
            rows.append(["  messages", words(status["messages"], ["sent", "replied", "failed"])])
            rows.append(["  outbox", words(status["outbox"], ["pending", "replied", "failed"])])
            for (plural, state) in others(status) {
                rows.append(["  outbox of \(plural)", words(state["outbox"], ["pending", "replied", "failed"])])
            }
            for failed in status["failed"]?.array ?? [] {
                rows.append(["  failed", "\(failed["identifier"]?.string ?? "?"): \(failed["reason"]?.string ?? "?")"])
            }
        case (.service, .host):
            rows.append(["  messages", words(status["messages"], ["received", "replied", "failed"])])
            let plural = status["application"]?.string ?? "quizzes"
            rows.append(["  \(plural)", status[plural]?.integer.map(String.init) ?? "?"])
            rows += others(status).map { ["  \($0)", $1[$0]?.integer.map(String.init) ?? "?"] }
            rows += DatabaseServer.all(in: status).map { ["  server of \($0.application)", $0.summary] }
        }
        let waiting = status["waiting"]
        rows.append([
            "  waiting",
            "\(waiting?["transfersOut"]?.integer ?? 0) transfers out, \(waiting?["transfersIn"]?.integer ?? 0) in, "
                + "\(waiting?["repliesAwaited"]?.integer ?? 0) replies awaited, \(waiting?["repliesOwed"]?.integer ?? 0) owed",
        ])
        rows += ServiceTrouble.rows(of: status).map { ["  \($0.label)", $0.text] }
        let version = status["version"]?.string.map { ", version \($0)" } ?? ""
        return "\(device.name): running\(version)\n" + TextTable.text(rows)
    }

    /// Returns the states of the applications after the first one, by their plural names.
    private static func others(_ status: JSONValue) -> [(plural: String, state: JSONValue)] {
        guard case .object(let others) = status["applications"] else { return [] }
        return others.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
