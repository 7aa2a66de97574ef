/// The actions of an operator on an application's records. The words are the same for every application.
enum RecordVerb: String, CaseIterable {
    case list, show, file, count, delete, update, export, `import`, backup, restore, verify, vacuum, expire, migrate

    /// The arguments after the verb.
    var arguments: String {
        switch self {
        case .show, .delete: " ID"
        case .update: " ID FILE"
        case .file: " ID PATH"
        case .import, .backup, .restore: " FILE"
        case .migrate: " to|from PLACE"
        default: ""
        }
    }

    /// The verbs for the records of any application: a database file is restored with the host's program.
    static let ofAny = allCases.filter { $0 != .restore }
    /// The verbs for quizzes, which have no files.
    static let ofQuizzes = allCases.filter { $0 != .file }

    /// The reason for a wrong number of arguments.
    var need: String {
        switch self {
        case .show, .delete: "needs one identifier"
        case .update: "needs an identifier and a file"
        case .file: "needs an identifier and the path to write to"
        case .import, .backup, .restore: "needs one file"
        case .migrate: "needs “to” or “from”, and a file or the URL of a PostgreSQL server"
        default: "takes no arguments"
        }
    }

    /// The number of words with the verb itself.
    var wordCount: Int { arguments.split(separator: " ").count + 1 }

    /// Returns the effect on an application's records, for help and manual page.
    func meaning(_ name: String, _ plural: String) -> String {
        switch self {
        case .list: "list the \(plural) in the order of arrival"
        case .show: "show a \(name) with its content"
        case .file: "write a \(name)'s file to a path"
        case .count: "print the number of \(plural)"
        case .delete: "delete a \(name) permanently"
        case .update: "replace a \(name)'s content"
        case .export: "print all \(plural) as JSON or CSV"
        case .import: "import a JSON export; existing \(plural) are kept"
        case .backup: "copy the database while the host is running"
        case .restore: "replace the database with a copy; --stop stops a running host and starts it again"
        case .verify: "check every page and every \(name) of the database"
        case .vacuum: "return free space to the disk, in small steps"
        case .migrate: "copy all \(plural) into another database, or from one, while the host is running"
        case .expire: "confirm the host's clock and remove \(plural) that are too old"
        }
    }

    /// Returns the forms of a command.
    static func forms(_ verbs: [RecordVerb], of subject: String, _ name: String, _ plural: String) -> [CommandForm] {
        verbs.map { CommandForm("\(subject) \($0.rawValue)\($0.arguments)", $0.meaning(name, plural)) }
    }
}
