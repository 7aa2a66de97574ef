import Configuration
import Foundation
import Processes
import ServiceRuntime
import Services
import Words

/// The work of an operator on one application's records, whatever they are.
struct RecordAdministration {
    let application: ApplicationDescription
    /// The command without its verb: “quizzes”, or “records steps”.
    let subject: String
    let layout: RecordLayout
    /// The options, and the words from the verb on.
    let invocation: Invocation
    let database: HostDatabase

    /// Checks the words of a request, before anything is opened.
    ///
    /// - Returns: The verb.
    static func verb(
        _ subject: String, _ invocation: Invocation, among verbs: [RecordVerb] = RecordVerb.allCases
    ) throws -> RecordVerb {
        var reader = WordReader(invocation.words)
        let word = try reader.choice(subject, among: verbs.map(\.rawValue))
        guard let verb = RecordVerb(rawValue: word) else { throw UsageError("unknown verb “\(word)”") }
        if [.show, .file, .delete, .update].contains(verb), let text = reader.next() {
            _ = try WordValue.uuid("\(subject) \(word)", text)
        }
        if verb != .migrate, invocation.options.has("passfile") {
            throw UsageError("\(subject) \(word) has no --passfile; it belongs to “watchlink \(subject) migrate”")
        }
        if verb != .export, let format = invocation.options["format"] {
            throw UsageError(
                "\(subject) \(word) has no --format \(format); use “watchlink \(subject) export --format csv”")
        }
        if ![.export, .import].contains(verb), invocation.options.has(CommandOptions.files.name) {
            throw UsageError(
                "\(subject) \(word) has no --files; it belongs to “watchlink \(subject) export” and “import”")
        }
        guard invocation.words.count == verb.wordCount else { throw UsageError("\(subject) \(word) \(verb.need)") }
        if verb == .migrate { _ = try reader.choice("\(subject) migrate", among: migrationDirections) }
        return verb
    }

    func perform(_ verb: RecordVerb) throws -> ExitCode {
        switch verb {
        case .list: try list()
        case .count: try StandardOutput.print("\(call("count").integer ?? 0)")
        case .show: try show(try call("show", try key()))
        case .file: try writeFile()
        case .delete:
            let gone = try call("delete", try key())
            try answer(gone, "deleted \(gone["identifier"]?.string ?? invocation.words[1])")
        case .update: try update()
        case .export: try export()
        case .import: try importAll()
        case .backup: try backUp()
        case .verify: return try verify()
        case .vacuum: try compact()
        case .expire: try expire()
        case .migrate: return try migrate()
        case .restore: throw CommandError("the host is running; stop it, then restore; or use --stop")
        }
        return .success
    }

    /// Sends one request about the application's records.
    func call(_ action: String, _ params: JSONValue = [:]) throws -> JSONValue {
        try database("\(application.plural).\(action)", params)
    }

    func answer(_ value: JSONValue, _ text: String) throws {
        try StandardOutput.print(invocation.wantsJSON ? value.text(pretty: true) : text)
    }

    func key() throws(WordError) -> JSONValue {
        var key: [String: JSONValue] = ["identifier": .string(invocation.words[1])]
        if let device = try invocation.uuid(option: CommandOptions.device) {
            key["device"] = .string(device.uuidString)
        }
        return .object(key)
    }

    private func update() throws {
        let documents = try DocumentFile.documents(in: invocation.words[2])
        guard documents.count == 1, let document = documents.first else {
            throw CommandError(
                "\(invocation.words[2]) has \(documents.count) \(application.plural); update needs exactly one")
        }
        guard case .object(var params) = try key() else { return }
        params[application.name] = document
        try answer(try call("update", .object(params)), "updated \(invocation.words[1])")
    }

    // MARK: - Pages

    /// Calls back with each page of records. The host reads the next one meanwhile.
    private func pages(
        _ action: String, _ params: [String: JSONValue] = [:], _ body: (RecordPage) throws -> Void
    ) throws {
        let progress = ProgressLine(
            application.plural, of: Int(try call("count").integer ?? 0), isListing: true)
        defer { progress.finish() }
        func begin(after cursor: JSONValue) throws -> HostDatabase.Begun {
            let more: [String: JSONValue] = ["cursor": cursor, RowText.parameter.name: RowText.parameter.value]
            return try database.begin("\(application.plural).\(action)", .object(params.merging(more) { $1 }))
        }
        var next = try begin(after: "")
        var done = 0
        while true {
            let page = try RecordPage(try next(), application)
            guard let cursor = page.next else { return }
            next = try begin(after: cursor)
            try body(page)
            done += page.count
            progress.update(done)
        }
    }

    /// Prints the list page by page, like an export.
    private func list() throws {
        if invocation.wantsJSON { return try array("list") }
        var isFirst = true
        try pages("list") { page in
            try StandardOutput.print(layout.table(try page.records(), hasHeading: isFirst))
            isFirst = false
        }
        if isFirst { try StandardOutput.print(layout.ifEmpty) }
    }

    /// Prints one JSON array page by page, so that a large database needs no memory here.
    private func array(_ action: String, _ params: [String: JSONValue] = [:]) throws {
        var isFirst = true
        try StandardOutput.print("[", terminator: "")
        try pages(action, params) { page in
            try StandardOutput.print((isFirst ? "\n" : ",\n") + page.lines, terminator: "")
            isFirst = false
        }
        try StandardOutput.print("\n]")
    }

    private func show(_ record: JSONValue) throws {
        guard !invocation.wantsJSON else { return try StandardOutput.print(record.text(pretty: true)) }
        let rows = layout.rows.compactMap { row -> [String]? in
            guard let value = record[row.field], value != .null else { return nil }
            return [row.heading, row.text(value)]
        }
        try StandardOutput.print(TextTable.text(rows))
        for line in layout.details(record) { try StandardOutput.print(line) }
    }

    private func export() throws {
        switch invocation.options["format"] ?? "json" {
        case "json": try array("export", try filesDirectory(isMade: true))
        case "csv":
            guard !invocation.options.has(CommandOptions.files.name) else {
                throw UsageError("--files belongs to an export as JSON, which “import” reads")
            }
            let columns =
                ["sequence", "identifier", "device"] + application.fields.map(\.name) + ["receivedAt", "updatedAt"]
            try StandardOutput.print(columns.joined(separator: ","))
            try pages("list") { page in
                for record in try page.records() {
                    try StandardOutput.print(columns.map { CSV.field(record[$0] ?? .null) }.joined(separator: ","))
                }
            }
        case let other: throw UsageError("--format \(other): it must be json or csv")
        }
    }
}
