import Foundation
import ServiceRuntime

/// Shows how both services are.
enum StatusCommand: Command {
    static let name = "status"
    static let summary = "how both services are"
    static let forms = [
        CommandForm("status", "both services: session, reachability, counts by status")
    ]
    static let examples = [
        CommandForm("status", "7 if one of them does not run"),
        CommandForm("status --json", "for programs"),
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard invocation.words.isEmpty else { throw UsageError("status takes no words") }
        let host = try status("host") { () throws(ControlClient.Failure) in try invocation.host() }
        let companion = try status("companion") { () throws(ControlClient.Failure) in try invocation.companion() }
        if invocation.wantsJSON {
            print(try JSONValue.object(["host": host ?? .null, "companion": companion ?? .null]).text(pretty: true))
        } else {
            print(text("host", host) + "\n\n" + text("companion", companion))
        }
        // Scripts ask with the exit code whether both are up.
        return host == nil || companion == nil ? .notRunning : .success
    }

    private static func status(
        _ service: String, _ connect: () throws(ControlClient.Failure) -> ControlClient
    ) throws -> JSONValue? {
        do throws(ControlClient.Failure) {
            return try connect().call("status")
        } catch {
            if case .notRunning = error { return nil }
            throw CommandError(error, service: service)
        }
    }

    private static func text(_ service: String, _ status: JSONValue?) -> String {
        guard let status else { return "\(service): not running" }
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
        if service == "companion" {
            rows.append(["  messages", words(status["messages"], ["sent", "replied", "failed"])])
            rows.append(["  outbox", words(status["outbox"], ["pending", "replied", "failed"])])
            for failed in status["failed"]?.array ?? [] {
                rows.append(["  failed", "\(failed["identifier"]?.string ?? "?"): \(failed["reason"]?.string ?? "?")"])
            }
        } else {
            rows.append(["  messages", words(status["messages"], ["received", "replied", "failed"])])
            rows.append(["  quizzes", status["quizzes"]?.integer.map(String.init) ?? "?"])
        }
        rows.append(["  database", status["database"]?.string ?? "?"])
        return "\(service): running, version \(status["version"]?.string ?? "?")\n" + TextTable.text(rows)
    }
}
