import Configuration
import ControlSocket
import Files
import Foundation
import Processes
import QuizSync
import RecordStorage
import ServiceRuntime
import Services

/// Shows and changes the host's quizzes: through the host while it is running, else directly.
enum QuizzesCommand: Command {
    static let name = "quizzes"
    static let summary = "list, show, change, export, back up and verify the host's quizzes"
    static let forms = RecordVerb.forms(RecordVerb.ofQuizzes, of: name, "quiz", "quizzes")
    static let options = [CommandOptions.device, CommandOptions.format, CommandOptions.passfile, stop]
    static let examples = [
        CommandForm("quizzes list", "list the host's quizzes"),
        CommandForm("quizzes export --format csv > quizzes.csv", "export for a spreadsheet"),
        CommandForm("quizzes backup /var/backups/quizzes.sqlite", "back up every night"),
        CommandForm("quizzes restore /var/backups/quizzes.sqlite --stop", "go back to a backup, with a short pause"),
        CommandForm("quizzes verify", "check after a power cut"),
    ]
    static let vocabulary = RecordVerb.ofQuizzes.map(\.rawValue)

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let verb = try RecordAdministration.verb(name, invocation, among: RecordVerb.ofQuizzes)
        if verb == .restore { return try restore(invocation) }
        guard !invocation.options.has(stop.name) else {
            throw UsageError("quizzes \(verb.rawValue) has no --stop; only restore needs a stopped host")
        }
        return try RecordAdministration(
            application: ApplicationDescription(.quizzes), subject: name, layout: .quizzes, invocation: invocation,
            database: .quizzes(invocation)
        ).perform(verb)
    }

    private static let stop = OptionDefinition("stop", help: "restore: stop a running host, and start it again")

    /// Replaces the database; only while no process uses it.
    private static func restore(_ invocation: Invocation) throws -> ExitCode {
        guard try isHostRunning(invocation) else {
            try replace(invocation)
            return .success
        }
        guard invocation.options.has(stop.name) else {
            throw CommandError("the host is running; stop it, then restore; or use --stop")
        }
        let pause = try HostPause(invocation)
        do {
            try replace(invocation)
        } catch {
            // The former database is still there.
            try pause.end()
            throw error
        }
        try pause.end()
        return .success
    }

    private static func replace(_ invocation: Invocation) throws {
        let source = URL(filePath: invocation.words[1]).standardizedFileURL.path(percentEncoded: false)
        let target = invocation.state.database(of: "host")
        do {
            let lock = try StoppedService.hold("host", invocation)
            defer { lock.release() }
            let store = try SQLiteRecordStore(kind: .quizzes, path: target)
            let former = try store.restore(from: source, at: Date())
            let count = try store.count()
            let aside = former.map { "; the former database is \($0)" } ?? ""
            let result: JSONValue = [
                "quizzes": .integer(Int64(count)), "former": former.map { .string($0) } ?? .null,
            ]
            try StandardOutput.print(
                invocation.wantsJSON ? result.text(pretty: true) : "\(target) contains \(count) quizzes\(aside)")
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(error)")
        }
    }

    private static func isHostRunning(_ invocation: Invocation) throws -> Bool {
        do throws(ControlClient.Failure) {
            _ = try invocation.host()
            return true
        } catch {
            guard case .notRunning = error else { throw CommandError(error, service: "host") }
            return false
        }
    }
}
