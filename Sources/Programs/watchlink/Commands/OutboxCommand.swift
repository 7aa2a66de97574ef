import Configuration
import ControlSocket
import EventLog
import Files
import Foundation
import Processes
import QuizSync
import RecordStorage
import ServiceRuntime
import Services
import Words

/// Shows undelivered quizzes and resends permanently failed ones: through the companion while it is running, else
/// directly in its database.
enum OutboxCommand: Command {
    static let name = "outbox"
    static let summary = "show the companion's outbox; resend or drop failed quizzes"
    static let forms = [
        CommandForm("outbox list", "list waiting and permanently failed quizzes, in the order of acceptance"),
        CommandForm("outbox show ID", "show a quiz with its content"),
        CommandForm("outbox retry ID…", "resend failed quizzes, after all that are waiting"),
        CommandForm("outbox retry --all", "resend all failed quizzes"),
        CommandForm("outbox drop ID…", "remove failed quizzes from the outbox"),
    ]
    static let options = [OptionDefinition("all", help: "retry: all failed quizzes"), CommandOptions.application]
    static let examples = [
        CommandForm("outbox list", "list undelivered quizzes with the reasons"),
        CommandForm("outbox retry --all", "resend after the cause is fixed"),
        CommandForm("outbox list --application steps", "the outbox of an application of your own"),
    ]
    static let vocabulary = ["list", "show", "retry", "drop"]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        var reader = WordReader(invocation.words)
        let verb = try reader.choice("outbox", among: vocabulary)
        let identifiers = try reader.rest.map { try WordValue.uuid("outbox \(verb)", $0).uuidString }
        let isForAll = invocation.options.has("all")
        guard !isForAll || (verb == "retry" && identifiers.isEmpty) else {
            throw UsageError("--all is allowed only with “outbox retry” and without identifiers")
        }
        switch verb {
        case "list":
            try reader.end("outbox list")
            try list(invocation, try outbox(invocation))
        case "show":
            guard identifiers.count == 1 else { throw UsageError("outbox show needs one identifier") }
            let entry = try outbox(invocation)("outbox.show", ["identifier": .string(identifiers[0])])
            try show(entry, invocation)
        default:
            guard isForAll || !identifiers.isEmpty else {
                throw UsageError("outbox \(verb) needs identifiers\(verb == "retry" ? ", or --all" : "")")
            }
            let params: [String: JSONValue] =
                isForAll ? ["all": true] : ["identifiers": .array(identifiers.map { .string($0) })]
            let outcome = try outbox(invocation)("outbox.\(verb)", params)
            return try tell(outcome, verb == "retry" ? "queued again" : "dropped", invocation)
        }
        return .success
    }

    /// The requests that change the outbox.
    private static let changes: Set<String> = ["outbox.retry", "outbox.drop"]

    /// Sends one request to the outbox.
    private typealias Outbox = (_ method: String, _ params: [String: JSONValue]) throws -> JSONValue

    /// Returns the plural name of the application.
    private static func application(_ invocation: Invocation) -> String {
        invocation.options["application"] ?? RecordKind.quizzes.plural
    }

    private static func outbox(_ invocation: Invocation) throws -> Outbox {
        let application = application(invocation)
        do throws(ControlClient.Failure) {
            let client = try invocation.companion()
            return { method, params in
                let named = params.merging(["application": .string(application)]) { $1 }
                do throws(ControlClient.Failure) {
                    return try client.call(method, .object(named))
                } catch {
                    throw CommandError(error, service: "companion")
                }
            }
        } catch {
            let path = invocation.state.database(of: "companion")
            // Only the companion's own program knows the types of other payloads.
            guard case .notRunning = error, application == RecordKind.quizzes.plural,
                FileManager.default.fileExists(atPath: path)
            else {
                throw CommandError(error, service: "companion")
            }
            let methods = OutboxMethods(of: .quizzes, store: OutboxStore(path: path), logger: .silent)
            return { method, params in
                // Keep a companion from starting meanwhile: it reads its outbox only once.
                let lock = changes.contains(method) ? try StoppedService.hold("companion", invocation) : nil
                defer { lock?.release() }
                switch methods.answer(method, .object(params)) ?? .failure(.unknown(method: method)) {
                case .success(let value): return value
                case .failure(let error): throw CommandError(.refused(error), service: "companion")
                }
            }
        }
    }

    private static func list(_ invocation: Invocation, _ outbox: Outbox) throws {
        var entries: [JSONValue] = []
        while true {
            let after = entries.last?["position"]?.integer ?? 0
            let page = try outbox("outbox.list", ["after": .integer(after)]).array ?? []
            guard !page.isEmpty else { break }
            entries += page
        }
        guard !invocation.wantsJSON else {
            return try StandardOutput.print(JSONValue.array(entries).text(pretty: true))
        }
        guard !entries.isEmpty else {
            return try StandardOutput.print("no \(application(invocation)) are waiting or failed")
        }
        let rows = entries.map { entry in
            ["identifier", "acceptedAt", "state", "reason"].map { entry[$0]?.string ?? "" }
        }
        try StandardOutput.print(TextTable.text([["IDENTIFIER", "ACCEPTED AT", "STATE", "REASON"]] + rows))
    }

    private static func show(_ entry: JSONValue, _ invocation: Invocation) throws {
        guard !invocation.wantsJSON else { return try StandardOutput.print(entry.text(pretty: true)) }
        var rows: [[String]] = []
        for (label, key) in [
            ("identifier", "identifier"), ("state", "state"), ("reason", "reason"), ("accepted at", "acceptedAt"),
            ("settled at", "settledAt"), ("archive error", "archiveError"),
        ] {
            if let text = entry[key]?.string { rows.append([label, text]) }
        }
        for (label, key) in [("title", "title"), ("taken at", "takenAt")] {
            if let text = entry["quiz"]?[key]?.string { rows.append([label, text]) }
        }
        try StandardOutput.print(TextTable.text(rows))
        guard application(invocation) != RecordKind.quizzes.plural, case .object(let fields) = entry else { return }
        // The content of other payloads is shown as it is: it is the only object of the entry.
        for case .object(let content) in fields.values {
            try StandardOutput.print(JSONValue.object(content).text(pretty: true))
        }
    }

    /// Prints the outcome; success if it covers all named quizzes.
    private static func tell(_ outcome: JSONValue, _ what: String, _ invocation: Invocation) throws -> ExitCode {
        let others = outcome["others"]?.array ?? []
        if invocation.wantsJSON {
            try StandardOutput.print(outcome.text(pretty: true))
        } else {
            let done = outcome["identifiers"]?.array ?? []
            for identifier in done { try StandardOutput.print("\(identifier.string ?? "?") \(what)") }
            for other in others {
                try StandardOutput.print("\(other["identifier"]?.string ?? "?"): \(other["reason"]?.string ?? "?")")
            }
            if done.isEmpty, others.isEmpty { try StandardOutput.print("no \(application(invocation)) have failed") }
        }
        return others.isEmpty ? .success : .failure
    }
}
