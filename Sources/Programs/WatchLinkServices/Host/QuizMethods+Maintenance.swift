import Configuration
import ControlSocket
import EventLog
import Foundation
import QuizSync
import RecordStorage
import Storage

/// The methods for operators: backup, verification, compaction and import.
extension QuizMethods {
    /// Runs a task that may take long; “quizzes.task” reports its progress.
    func maintain(_ method: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        tasks.answer(method.replacingOccurrences(of: "quizzes.", with: ""), params) { [self] progress in
            answering { () throws in
                switch method {
                case "quizzes.backup": try backUp(params, progress)
                case "quizzes.verify": try verify(progress)
                default: try compact(progress)
                }
            }
        }
    }

    private func backUp(_ params: JSONValue, _ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        guard let path = params["path"]?.string, path.hasPrefix("/") else {
            throw ControlError(ControlError.invalidParams, "“path” must be an absolute path")
        }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw ControlError(ControlError.refused, "\(path) already exists; choose another name or remove it")
        }
        let bytes = try maintenance.backUp(to: path, progress: progress)
        logger.log(.databaseBackedUp, [.path(path), .bytes(Int(bytes))])
        return ["path": .string(path), "bytes": .integer(bytes)]
    }

    /// Runs SQLite's integrity check, and checks every quiz: its archive must be readable and match the columns.
    private func verify(_ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        let total = try store.count()
        progress(0, total)
        var problems = try maintenance.problems()
        var found = problems.count
        problems = Array(problems.prefix(Self.shownProblems))
        var count = 0
        var last = RecordCursor.start
        while true {
            let page = try store.records(after: last, limit: Self.pageSize)
            guard let end = page.last?.cursor else { break }
            for quiz in page {
                guard let problem = Self.problem(of: quiz) else { continue }
                found += 1
                if problems.count < Self.shownProblems {
                    problems.append("quiz \(quiz.record.key.identifier): \(problem)")
                }
            }
            count += page.count
            last = end
            progress(count, total)
        }
        if found > problems.count { problems.append("and \(found - problems.count) more") }
        return ["quizzes": .integer(Int64(count)), "problems": .array(problems.map { .string($0) })]
    }

    private static func problem(of quiz: StoredRecord) -> String? {
        do {
            let content = try EncodedData(quiz.record.archive).quizData
            guard content.identifier == quiz.record.key.identifier else { return "its archive holds another quiz" }
            guard let row = QuizRow(quiz.record), content.answers.count == row.answerCount, content.title == row.title
            else { return "its archive and its columns differ" }
            return nil
        } catch {
            return "its archive cannot be read: \(error)"
        }
    }

    private func compact(_ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        let (before, after) = try maintenance.compact(isAlone: isAlone, progress: progress)
        logger.log(.databaseCompacted, [.bytes(Int(after)), .reason("\(before - after) bytes freed")])
        return ["before": .integer(before), "after": .integer(after)]
    }

    /// Imports exported quizzes with their original device and arrival time. Quizzes that exist or were deleted are
    /// skipped.
    func importAll(_ params: JSONValue) throws -> JSONValue {
        guard let values = params["quizzes"]?.array else {
            throw ControlError(ControlError.invalidParams, "“quizzes” must be a list")
        }
        // All are parsed before any is stored: with an error, nothing of this page is stored.
        let outcomes = try store.insert(try values.map(Self.exported))
        let stored = outcomes.count { if case .stored = $0 { true } else { false } }
        let present = outcomes.count - stored
        logger.log(.quizzesImported, [.count(stored)])
        return ["stored": .integer(Int64(stored)), "present": .integer(Int64(present))]
    }

    private static func exported(_ value: JSONValue) throws -> RecordArrival {
        guard case .object(var fields) = value else { throw QuizError.undecodable("an entry must be an object { … }") }
        guard let device = fields["device"]?.string.flatMap(UUID.init(uuidString:)) else {
            throw QuizError.invalid(
                field: "device", reason: "must be a UUID; only the output of “quizzes export” can be imported")
        }
        guard let receivedAt = fields["receivedAt"]?.string.flatMap(QuizDocument.date) else {
            throw QuizError.invalid(field: "receivedAt", reason: "must be a time like 2026-11-20T18:30:00Z")
        }
        for key in ["sequence", "device", "receivedAt", "updatedAt", "answerCount", "isAheadOfClock"] {
            fields[key] = nil
        }
        return RecordArrival(try Record(document(.object(fields)).quiz(), device: device), receivedAt: receivedAt)
    }
}
