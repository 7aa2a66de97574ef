import Foundation
import QuizSync
import ServiceRuntime
import Storage
import WatchLinkServices

/// An operator's part: copies, checks, and what was exported before.
extension QuizzesCommand {
    static func importAll(_ invocation: Invocation, _ database: Database) throws {
        let name = invocation.words[1]
        let quizzes: [JSONValue]
        do {
            quizzes = try JSONDecoder().decode([JSONValue].self, from: try InputFile.read(name))
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(name) is no list of quizzes as “watchlink quizzes export” writes it")
        }
        let progress = ProgressLine("quizzes", of: quizzes.count)
        defer { progress.finish() }
        var (stored, present): (Int64, Int64) = (0, 0)
        for start in stride(from: 0, to: quizzes.count, by: Submission.batch) {
            let page = Array(quizzes[start..<min(start + Submission.batch, quizzes.count)])
            do {
                let outcome = try database("quizzes.import", ["quizzes": .array(page)])
                stored += outcome["stored"]?.integer ?? 0
                present += outcome["present"]?.integer ?? 0
            } catch let error as CommandError {
                throw CommandError(
                    "\(name), among the quizzes \(start + 1) to \(start + page.count): \(error.message); \(stored) were imported before",
                    error.code)
            }
            progress.update(start + page.count)
        }
        try answer(
            ["stored": .integer(stored), "present": .integer(present)], invocation,
            "\(stored) imported, \(present) were there already")
    }

    static func backUp(_ invocation: Invocation, _ database: Database) throws {
        let path = URL(filePath: invocation.words[1]).standardizedFileURL.path()
        let result = try database("quizzes.backup", ["path": .string(path)])
        try answer(result, invocation, "\(path): \(result["bytes"]?.integer ?? 0) bytes")
    }

    /// Replaces the database; only while nobody uses it.
    static func restore(_ invocation: Invocation) throws -> ExitCode {
        let source = URL(filePath: invocation.words[1]).standardizedFileURL.path()
        guard try !isHostRunning(invocation) else { throw CommandError("the host runs: stop it, then restore") }
        let target = invocation.state.path(of: HostService.databaseName)
        do {
            let former = try DatabaseBackup.restore(source, to: target, at: Date()) { copy throws(DatabaseError) in
                _ = try SQLiteQuizStore(path: copy).count()
            }
            let count = try SQLiteQuizStore(path: target).count()
            let aside = former.map { "; the former database is \($0)" } ?? ""
            try answer(
                ["quizzes": .integer(Int64(count)), "former": former.map { .string($0) } ?? .null], invocation,
                "\(target) holds \(count) quizzes\(aside)")
        } catch {
            throw CommandError("\(error)")
        }
        return .success
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

    static func verify(_ invocation: Invocation, _ database: Database) throws -> ExitCode {
        let result = try database("quizzes.verify", [:])
        let problems = result["problems"]?.array?.compactMap(\.string) ?? []
        let count = result["quizzes"]?.integer ?? 0
        try answer(
            result, invocation,
            problems.isEmpty
                ? "ok: \(count) quizzes, each readable"
                : problems.map(TerminalText.printable).joined(separator: "\n")
                    + "\n\(problems.count) problems: “quizzes restore” puts a backup in the database's place")
        return problems.isEmpty ? .success : .failure
    }

    static func compact(_ invocation: Invocation, _ database: Database) throws {
        let result = try database("quizzes.vacuum", [:])
        let (before, after) = (result["before"]?.integer ?? 0, result["after"]?.integer ?? 0)
        try answer(result, invocation, "\(before) bytes before, \(after) after")
    }
}
