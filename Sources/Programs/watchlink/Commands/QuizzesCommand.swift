import Configuration
import ControlSocket
import EventLog
import Foundation
import Processes
import QuizSync
import RecordStorage
import ServiceRuntime
import Storage
import WatchLinkServices
import Words

/// Shows and changes the host's database: through the host while it is running, else directly.
enum QuizzesCommand: Command {
    static let name = "quizzes"
    static let summary = "list, show, change, export, back up and verify the host's quizzes"
    static let forms = [
        CommandForm("quizzes list", "list the quizzes in the order of arrival"),
        CommandForm("quizzes show ID", "show a quiz with its answers"),
        CommandForm("quizzes count", "print the number of quizzes"),
        CommandForm("quizzes delete ID", "delete a quiz permanently"),
        CommandForm("quizzes update ID FILE", "replace a quiz's content"),
        CommandForm("quizzes export", "print all quizzes as JSON or CSV"),
        CommandForm("quizzes import FILE", "import a JSON export; existing quizzes are kept"),
        CommandForm("quizzes backup FILE", "copy the database while the host is running"),
        CommandForm("quizzes restore FILE", "replace the database with a copy; the host must be stopped"),
        CommandForm("quizzes verify", "check every page and every quiz of the database"),
        CommandForm("quizzes vacuum", "return free space to the disk, in small steps"),
        CommandForm("quizzes expire", "confirm the host's clock and remove quizzes that are too old"),
    ]
    static let options = [
        CommandOptions.device,
        OptionDefinition("format", placeholder: "FORMAT", help: "export: json or csv"),
    ]
    static let examples = [
        CommandForm("quizzes list", "list the host's quizzes"),
        CommandForm("quizzes export --format csv > quizzes.csv", "export for a spreadsheet"),
        CommandForm("quizzes backup /var/backups/quizzes.sqlite", "back up every night"),
        CommandForm("quizzes verify", "check after a power cut"),
    ]
    static let vocabulary = [
        "list", "show", "count", "delete", "update", "export", "import", "backup", "restore", "verify", "vacuum",
        "expire",
    ]

    static func run(_ invocation: Invocation) throws -> ExitCode {
        let words = invocation.words
        var reader = WordReader(words)
        let verb = try reader.choice("quizzes", among: vocabulary)
        if ["show", "delete", "update"].contains(verb), let text = reader.next() {
            _ = try WordValue.uuid("quizzes \(verb)", text)
        }
        if verb != "export", let format = invocation.options["format"] {
            throw UsageError(
                "quizzes \(verb) has no --format \(format); use “watchlink quizzes export --format csv”")
        }
        if verb == "restore", words.count == 2 { return try restore(invocation) }
        let database = try database(invocation)
        switch (verb, words.count) {
        case ("list", 1): try list(invocation, database)
        case ("count", 1): try StandardOutput.print("\(database("quizzes.count", [:]).integer ?? 0)")
        case ("show", 2): try show(try database("quizzes.show", try key(invocation)), invocation)
        case ("delete", 2):
            let gone = try database("quizzes.delete", try key(invocation))
            try answer(gone, invocation, "deleted \(gone["identifier"]?.string ?? words[1])")
        case ("update", 3): try update(invocation, database)
        case ("export", 1): try export(invocation, database)
        case ("import", 2): try importAll(invocation, database)
        case ("backup", 2): try backUp(invocation, database)
        case ("verify", 1): return try verify(invocation, database)
        case ("vacuum", 1): try compact(invocation, database)
        case ("expire", 1): try expire(invocation, database)
        case ("import", _), ("backup", _), ("restore", _): throw UsageError("quizzes \(verb) needs one file")
        case ("show", _), ("delete", _): throw UsageError("quizzes \(verb) needs one identifier")
        case ("update", _): throw UsageError("quizzes update needs an identifier and a file")
        default: throw UsageError("quizzes \(verb) takes no arguments")
        }
        return .success
    }

    /// Sends one request to the host's database.
    typealias Database = (_ method: String, _ params: JSONValue) throws -> JSONValue

    private static func database(_ invocation: Invocation) throws -> Database {
        do throws(ControlClient.Failure) {
            let client = try invocation.host()
            return { method, params in
                do throws(ControlClient.Failure) {
                    return try client.call(method, params)
                } catch {
                    throw CommandError(error, service: "host")
                }
            }
        } catch {
            let path = invocation.state.database(of: "host")
            guard case .notRunning = error, FileManager.default.fileExists(atPath: path) else {
                throw CommandError(error, service: "host")
            }
            let store = try SQLiteRecordStore(kind: .quizzes, path: path)
            let methods = RecordMethods(
                of: .quizzes, store: store, maintenance: store, logger: .silent, isAlone: true)
            return { method, params in
                switch methods.answer(method, params) ?? .failure(.unknown(method: method)) {
                case .success(let value): return value
                case .failure(let error): throw CommandError(.refused(error), service: "host")
                }
            }
        }
    }

    private static func key(_ invocation: Invocation) throws(WordError) -> JSONValue {
        var key: [String: JSONValue] = ["identifier": .string(invocation.words[1])]
        if let device = try invocation.uuid(option: CommandOptions.device) {
            key["device"] = .string(device.uuidString)
        }
        return .object(key)
    }

    /// Calls back with each page of quizzes.
    private static func pages(_ method: String, _ database: Database, _ body: ([JSONValue]) throws -> Void) throws {
        var last: Int64 = 0
        let progress = ProgressLine(
            "quizzes", of: Int(try database("quizzes.count", [:]).integer ?? 0), isListing: true)
        defer { progress.finish() }
        var done = 0
        while true {
            let page = try database(method, ["after": .integer(last)]).array ?? []
            guard let end = page.last?["sequence"]?.integer else { return }
            try body(page)
            last = end
            done += page.count
            progress.update(done)
        }
    }

    /// Prints the list page by page, like an export.
    private static func list(_ invocation: Invocation, _ database: Database) throws {
        if invocation.wantsJSON { return try array("quizzes.list", database) }
        var isFirst = true
        try pages("quizzes.list", database) { page in
            let rows = page.map { quiz in
                [
                    quiz["identifier"]?.string ?? "?", padded(quiz["takenAt"]?.string ?? "?", timeWidth),
                    padded(String(format: "%.2f", quiz["gradePointAverage"]?.number ?? 0), "AVERAGE".count),
                    padded("\(quiz["answerCount"]?.integer ?? 0)", "ANSWERS".count), quiz["title"]?.string ?? "?",
                ]
            }
            let heading = [["IDENTIFIER", padded("TAKEN AT", timeWidth), "AVERAGE", "ANSWERS", "TITLE"]]
            // Each page is a separate table: columns of varying width are padded to the maximum.
            let table = TextTable.text(heading + rows)
            try StandardOutput.print(
                isFirst ? table : String(table[table.index(after: table.firstIndex(of: "\n") ?? table.startIndex)...]))
            isFirst = false
        }
        if isFirst { try StandardOutput.print("no quizzes yet; send one with “watchlink submit FILE”") }
    }

    /// The characters of the longest time, 2026-11-20T18:30:00.250Z.
    private static let timeWidth = 24

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    /// Prints one JSON array page by page, so that a large database needs no memory here.
    private static func array(_ method: String, _ database: Database) throws {
        var isFirst = true
        try StandardOutput.print("[", terminator: "")
        try pages(method, database) { page in
            for quiz in page {
                try StandardOutput.print((isFirst ? "\n" : ",\n") + quiz.text(), terminator: "")
                isFirst = false
            }
        }
        try StandardOutput.print("\n]")
    }

    private static func show(_ quiz: JSONValue, _ invocation: Invocation) throws {
        guard !invocation.wantsJSON else { return try StandardOutput.print(quiz.text(pretty: true)) }
        var rows: [[String]] = []
        for (label, key) in [
            ("title", "title"), ("identifier", "identifier"), ("taken at", "takenAt"), ("device", "device"),
            ("received at", "receivedAt"), ("updated at", "updatedAt"), ("archive error", "archiveError"),
        ] {
            if let text = quiz[key]?.string { rows.append([label, text]) }
        }
        rows.append(["average", String(format: "%.2f", quiz["gradePointAverage"]?.number ?? 0)])
        try StandardOutput.print(TextTable.text(rows))
        for answer in quiz["answers"]?.array ?? [] {
            let points = String(format: "%g", answer["points"]?.number ?? 0)
            let (question, choice) = (answer["question"]?.string ?? "?", answer["choice"]?.string ?? "?")
            try StandardOutput.print(
                "  \(TerminalText.printable(question))  \(TerminalText.printable(choice))  (\(points))")
        }
    }

    private static func update(_ invocation: Invocation, _ database: Database) throws {
        let documents = try QuizFile.documents(in: invocation.words[2])
        guard documents.count == 1, let document = documents.first else {
            throw CommandError("\(invocation.words[2]) has \(documents.count) quizzes; update needs exactly one")
        }
        guard case .object(var params) = try key(invocation) else { return }
        params["quiz"] = try JSONDecoder().decode(JSONValue.self, from: try JSONEncoder().encode(document))
        try answer(try database("quizzes.update", .object(params)), invocation, "updated \(invocation.words[1])")
    }

    static func answer(_ value: JSONValue, _ invocation: Invocation, _ text: String) throws {
        try StandardOutput.print(invocation.wantsJSON ? value.text(pretty: true) : text)
    }

    private static func export(_ invocation: Invocation, _ database: Database) throws {
        switch invocation.options["format"] ?? "json" {
        case "json": try array("quizzes.export", database)
        case "csv":
            let columns = [
                "sequence", "identifier", "device", "title", "takenAt", "answerCount", "gradePointAverage",
                "receivedAt",
                "updatedAt",
            ]
            try StandardOutput.print(columns.joined(separator: ","))
            try pages("quizzes.list", database) { page in
                for quiz in page {
                    try StandardOutput.print(columns.map { CSV.field(quiz[$0] ?? .null) }.joined(separator: ","))
                }
            }
        case let other: throw UsageError("--format \(other): it must be json or csv")
        }
    }
}
