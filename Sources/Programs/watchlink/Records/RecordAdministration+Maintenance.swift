import Configuration
import Foundation
import Processes
import ServiceRuntime
import Services
import Words

/// The maintenance: backup, verification, compaction and import.
extension RecordAdministration {
    /// Imports the records of a file.
    func importAll() throws {
        let name = invocation.words[1]
        var params = try filesDirectory(isMade: false)
        params[RecordMethods.importName] = .string(UUID().uuidString)
        let progress = ProgressLine(application.plural)
        defer { progress.finish() }
        var work = RecordImport(application, from: name, progress: progress) { [database, application, params] rows in
            try database.begin(
                "\(application.plural).import", .object(params.merging([application.plural: rows]) { $1 }))
        }
        var splitter = JSONArraySplitter()
        do {
            do {
                try InputFile.read(name) { bytes in try splitter.append(bytes) { try work.add($0) } }
                try splitter.finish()
            } catch let error as JSONArraySplitter.Malformed {
                // What was sent before is stored, and counted.
                try work.settle()
                throw error
            }
            try work.finish()
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(
                "\(name) is not a list of \(application.plural) from “watchlink \(subject) export”: \(error); \(work.stored) were imported before"
            )
        }
        try answer(
            ["stored": .integer(work.stored), "present": .integer(work.present)],
            "\(work.stored) imported, \(work.present) already present")
    }

    /// The polling interval of a long task in seconds. 100 ms: the progress line looks alive.
    private static let lookPeriod: TimeInterval = 0.1

    /// Runs a long task and shows its progress. Each answer arrives immediately, so a hung host is noticed however long
    /// the task takes.
    func longWork(
        _ action: String, _ label: String, _ params: [String: JSONValue] = [:]
    ) throws -> JSONValue {
        let begun = try call(action, .object(params.merging(["inBackground": true]) { $1 }))
        // A host of an earlier version has already finished the task.
        guard let task = begun["task"] else { return begun }
        let progress = ProgressLine(label)
        defer { progress.finish() }
        while true {
            let state = try call("task", ["task": task])
            if let result = state["result"] { return result }
            let total = Int(state["total"]?.integer ?? 0)
            progress.update(Int(state["done"]?.integer ?? 0), of: total > 0 ? total : nil)
            Thread.sleep(forTimeInterval: Self.lookPeriod)
        }
    }

    /// Confirms that the host's clock is right and removes the records that are too old.
    func expire() throws {
        let result = try longWork("expire", "\(application.plural) removed")
        try answer(result, "\(result["removed"]?.integer ?? 0) removed")
    }

    func backUp() throws {
        let path = URL(filePath: invocation.words[1]).standardizedFileURL.path(percentEncoded: false)
        let result = try longWork("backup", "pages copied", ["path": .string(path)])
        try answer(result, "\(path): \(result["bytes"]?.integer ?? 0) bytes")
    }

    func verify() throws -> ExitCode {
        let plural = application.plural
        let result = try longWork("verify", "pages and \(plural) verified")
        let problems = result["problems"]?.array?.compactMap(\.string) ?? []
        let count = result[plural]?.integer ?? 0
        try answer(
            result,
            problems.isEmpty
                ? "ok: \(count) \(count == 1 ? application.name : plural), all readable"
                : problems.map(TerminalText.printable).joined(separator: "\n")
                    + "\n\(problems.count) problems; “\(subject) restore” replaces the database with a backup")
        return problems.isEmpty ? .success : .failure
    }

    func compact() throws {
        let result = try longWork("vacuum", "pages freed")
        let (before, after) = (result["before"]?.integer ?? 0, result["after"]?.integer ?? 0)
        try answer(result, "\(before) bytes before, \(after) after")
    }
}
