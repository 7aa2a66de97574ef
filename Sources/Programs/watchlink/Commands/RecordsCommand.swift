import Configuration
import Processes
import ServiceRuntime
import Services
import Words

/// Shows and changes the records of any application of a running host.
enum RecordsCommand: Command {
    static let name = "records"
    static let summary = "list, show, change, export, back up and verify the records of any application"
    static let forms =
        [CommandForm("records", "list the host's applications with the fields of their records")]
        + RecordVerb.forms(verbs, of: "records APPLICATION", "record", "records")
    static let options = [CommandOptions.device, CommandOptions.format, CommandOptions.files, CommandOptions.passfile]
    static let examples = [
        CommandForm("records", "list the applications"),
        CommandForm("records steps list", "list the records of the application “steps”"),
        CommandForm("records workouts file 6F9619FF-8B86-D011-B42D-00C04FC964FF track.gpx", "write a record's file"),
        CommandForm("records steps export --format csv > steps.csv", "export for a spreadsheet"),
        CommandForm(
            "records steps migrate to postgresql://watchlink@db/records --passfile pgpass",
            "copy all records into a server"),
    ]
    static let vocabulary = verbs.map(\.rawValue)

    private static let verbs = RecordVerb.ofAny

    static func run(_ invocation: Invocation) throws -> ExitCode {
        guard let plural = invocation.words.first else { return try list(invocation) }
        let subject = "\(name) \(plural)"
        let rest = Invocation(options: invocation.options, words: Array(invocation.words.dropFirst()))
        let verb = try RecordAdministration.verb(subject, rest)
        guard verb != .restore else {
            throw UsageError(
                "only quizzes can be restored; for \(plural), stop the host and replace its database file with the backup"
            )
        }
        let (database, applications) = try HostDatabase.running(invocation)
        guard let application = applications.first(where: { $0.plural == plural }) else {
            throw WordError.unknown(plural, subject: name, allowed: applications.map(\.plural))
        }
        return try RecordAdministration(
            application: application, subject: subject, layout: RecordLayout(application), invocation: rest,
            database: database
        ).perform(verb)
    }

    private static func list(_ invocation: Invocation) throws -> ExitCode {
        let (_, applications) = try HostDatabase.running(invocation)
        if invocation.wantsJSON {
            try StandardOutput.print(JSONValue.array(applications.map(\.json)).text(pretty: true))
        } else {
            let rows = applications.map { [$0.plural, $0.fields.map(\.name).joined(separator: ", ")] }
            try StandardOutput.print(TextTable.text([["APPLICATION", "FIELDS"]] + rows))
        }
        return .success
    }
}
