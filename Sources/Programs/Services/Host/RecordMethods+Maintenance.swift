import Configuration
import ControlSocket
import EventLog
import Foundation
import RecordSync
import Storage

/// The methods for operators: backup, verification, compaction and migration.
extension RecordMethods {
    /// Runs a task that may take long; “task” reports its progress.
    func maintain(_ action: String, _ params: JSONValue) -> Result<JSONValue, ControlError> {
        tasks.answer(action, params) { [self] progress in
            answering { () throws in
                switch action {
                case "backup": try backUp(params, progress)
                case "verify": try verify(progress)
                case "migrate": try migrate(params, progress)
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
        guard let maintenance else {
            throw ControlError(
                ControlError.refused,
                "the \(application.kind.plural) are in a database server: back it up with pg_dump, or write “watchlink \(application.command) export” to a file"
            )
        }
        let bytes = try maintenance.backUp(to: path, progress: progress)
        logger.log(.databaseBackedUp, [.path(path), .bytes(Int(bytes))])
        return ["path": .string(path), "bytes": .integer(bytes)]
    }

    /// Runs the integrity check of a file, and checks every record: its archive must be readable and match the columns.
    ///
    /// - Parameter progress: Called with the number of pages and records.
    private func verify(_ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        let kind = application.kind
        let total = try store.count()
        progress(0, total)
        var pages = 0
        var problems =
            try maintenance?.problems { done, all in
                pages = all
                progress(done, all + total)
            } ?? []
        var found = problems.count
        problems = Array(problems.prefix(Self.shownProblems))
        var count = 0
        var last = RecordCursor.start
        while true {
            let page = try store.records(after: last, limit: Self.pageSize)
            guard let end = page.last?.cursor else { break }
            for stored in page {
                guard let problem = try problem(of: stored.record) else { continue }
                found += 1
                if problems.count < Self.shownProblems {
                    problems.append("\(kind.name) \(stored.record.key.identifier): \(problem)")
                }
            }
            count += page.count
            last = end
            progress(pages + count, pages + total)
        }
        if found > problems.count { problems.append("and \(found - problems.count) more") }
        return [kind.plural: .integer(Int64(count)), "problems": .array(problems.map { .string($0) })]
    }

    private func problem(of record: Record) throws(StoreError) -> String? {
        let payload: any RecordPayload
        do throws(PayloadError) {
            payload = try application.decoded(from: record.archive)
        } catch {
            return "its archive cannot be read: \(application.kind.text(error))"
        }
        guard payload.identifier == record.key.identifier else {
            return "its archive holds another \(application.kind.name)"
        }
        guard zip(payload.values, record.values).allSatisfy({ $0.isStored(as: $1) }) else {
            return "its archive and its columns differ"
        }
        return try problem(ofFileOf: record, payload)
    }

    private func compact(_ progress: @escaping MaintenanceQueue.Progress) throws -> JSONValue {
        guard let maintenance else {
            throw ControlError(
                ControlError.refused,
                "the \(application.kind.plural) are in a database server, which frees its space itself")
        }
        let (before, after) = try maintenance.compact(isAlone: isAlone, progress: progress)
        logger.log(.databaseCompacted, [.bytes(Int(after)), .reason("\(before - after) bytes freed")])
        return ["before": .integer(before), "after": .integer(after)]
    }
}

extension RecordValue {
    /// Returns true if a store keeps this value as another one: times in whole milliseconds.
    fileprivate func isStored(as other: RecordValue) -> Bool {
        guard case .date(let own) = self, case .date(let stored) = other else { return self == other }
        return own.milliseconds == stored.milliseconds
    }
}
