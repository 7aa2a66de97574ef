import Configuration
import ControlSocket
import Files
import Foundation
import Processes
import QuizSync
import RecordStorage
import ServiceRuntime
import Storage
import WatchLinkServices
import Words

/// The maintenance commands: backup, restore, verification, compaction and import.
extension QuizzesCommand {
    /// Imports quizzes in batches: a large file needs no more memory than a small one.
    static func importAll(_ invocation: Invocation, _ database: Database) throws {
        let name = invocation.words[1]
        var batch: [JSONValue] = []
        var answers = 0
        var done = 0
        var (stored, present): (Int64, Int64) = (0, 0)
        let progress = ProgressLine("quizzes")
        defer { progress.finish() }
        func send() throws {
            guard !batch.isEmpty else { return }
            do {
                let outcome = try database("quizzes.import", ["quizzes": .array(batch)])
                stored += outcome["stored"]?.integer ?? 0
                present += outcome["present"]?.integer ?? 0
            } catch let error as CommandError {
                throw CommandError(
                    "\(name), quizzes \(done + 1) to \(done + batch.count): \(error.message); \(stored) were imported before",
                    error.code)
            }
            done += batch.count
            batch.removeAll(keepingCapacity: true)
            answers = 0
            progress.update(done)
        }
        var splitter = JSONArraySplitter()
        do {
            try InputFile.read(name) { bytes in
                try splitter.append(bytes) { element in
                    let quiz = try JSONDecoder().decode(JSONValue.self, from: element)
                    let count = quiz["answers"]?.array?.count ?? 0
                    if batch.count == Submission.batch || answers + count > Submission.batchAnswers { try send() }
                    batch.append(quiz)
                    answers += count
                }
            }
            try splitter.finish()
        } catch let error as CommandError {
            throw error
        } catch {
            let detail =
                (error as? JSONArraySplitter.Malformed)?.description
                ?? "element \(done + batch.count + 1) is not JSON"
            throw CommandError(
                "\(name) is not a list of quizzes from “watchlink quizzes export”: \(detail); \(stored) were imported before"
            )
        }
        try send()
        try answer(
            ["stored": .integer(stored), "present": .integer(present)], invocation,
            "\(stored) imported, \(present) already present")
    }

    /// The polling interval of a long task in seconds. 100 ms: the progress line looks alive.
    private static let lookPeriod: TimeInterval = 0.1

    /// Runs a long task and shows its progress. Each answer arrives immediately, so a hung host is noticed however long
    /// the task takes.
    private static func longWork(
        _ method: String, _ label: String, _ params: [String: JSONValue], _ database: Database
    ) throws -> JSONValue {
        let begun = try database(method, .object(params.merging(["inBackground": true]) { $1 }))
        // A host of an earlier version has already finished the task.
        guard let task = begun["task"] else { return begun }
        let progress = ProgressLine(label)
        defer { progress.finish() }
        while true {
            let state = try database("quizzes.task", ["task": task])
            if let result = state["result"] { return result }
            let total = Int(state["total"]?.integer ?? 0)
            progress.update(Int(state["done"]?.integer ?? 0), of: total > 0 ? total : nil)
            Thread.sleep(forTimeInterval: lookPeriod)
        }
    }

    /// Confirms that the host's clock is right and removes the quizzes that are too old.
    static func expire(_ invocation: Invocation, _ database: Database) throws {
        let result = try longWork("quizzes.expire", "quizzes removed", [:], database)
        try answer(result, invocation, "\(result["removed"]?.integer ?? 0) removed")
    }

    static func backUp(_ invocation: Invocation, _ database: Database) throws {
        let path = URL(filePath: invocation.words[1]).standardizedFileURL.path(percentEncoded: false)
        let result = try longWork("quizzes.backup", "pages copied", ["path": .string(path)], database)
        try answer(result, invocation, "\(path): \(result["bytes"]?.integer ?? 0) bytes")
    }

    /// Replaces the database; only while no process uses it.
    static func restore(_ invocation: Invocation) throws -> ExitCode {
        let source = URL(filePath: invocation.words[1]).standardizedFileURL.path(percentEncoded: false)
        guard try !isHostRunning(invocation) else { throw CommandError("the host is running; stop it, then restore") }
        let target = invocation.state.database(of: "host")
        do {
            let lock = try StoppedService.hold("host", invocation)
            defer { lock.release() }
            let store = try SQLiteRecordStore(kind: .quizzes, path: target)
            let former = try store.restore(from: source, at: Date())
            let count = try store.count()
            let aside = former.map { "; the former database is \($0)" } ?? ""
            try answer(
                ["quizzes": .integer(Int64(count)), "former": former.map { .string($0) } ?? .null], invocation,
                "\(target) contains \(count) quizzes\(aside)")
        } catch let error as CommandError {
            throw error
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
        let result = try longWork("quizzes.verify", "quizzes verified", [:], database)
        let problems = result["problems"]?.array?.compactMap(\.string) ?? []
        let count = result["quizzes"]?.integer ?? 0
        try answer(
            result, invocation,
            problems.isEmpty
                ? "ok: \(count) quizzes, all readable"
                : problems.map(TerminalText.printable).joined(separator: "\n")
                    + "\n\(problems.count) problems; “quizzes restore” replaces the database with a backup")
        return problems.isEmpty ? .success : .failure
    }

    static func compact(_ invocation: Invocation, _ database: Database) throws {
        let result = try longWork("quizzes.vacuum", "pages freed", [:], database)
        let (before, after) = (result["before"]?.integer ?? 0, result["after"]?.integer ?? 0)
        try answer(result, invocation, "\(before) bytes before, \(after) after")
    }
}
