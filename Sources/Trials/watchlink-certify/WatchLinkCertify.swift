import Configuration
import DatabaseServers
import Files
import Foundation
import Glibc
import PostgreSQLRules
import PostgreSQLStorage
import Processes
import RecordStorage
import ServiceRuntime
import StoreConformance

/// Checks that a database keeps the promises of a store.
@main
enum WatchLinkCertify {
    private static let options = [
        OptionDefinition("server", help: "start a PostgreSQL server in a scratch directory, and certify that"),
        OptionDefinition(
            "faults", help: "with --server: also cut and stall connections, and kill client, backends and server"),
        OptionDefinition(
            "seconds", placeholder: "N", help: "with --faults: the time for all faults together; default 60"),
        OptionDefinition(
            "points", placeholder: "N", help: "with --faults: this many cuts, stalls and kills instead of a time"),
        OptionDefinition("passfile", placeholder: "PATH", help: "the file with the password, as psql has it"),
        OptionDefinition("case", placeholder: "NAME", help: "run only this case; can be repeated"),
        OptionDefinition("list", help: "list the cases"),
        OptionDefinition(
            "insert-until-killed", placeholder: "TABLE", help: "with a URL: insert without end, as the faults' victim"),
    ]

    static func main() {
        ToolProgram.run("watchlink-certify", options: options, help: help) { parsed in
            do {
                return try run(parsed)
            } catch let error as SetUpError {
                ProgramEnd.fail("\(error)", error.code, "watchlink-certify")
            }
        }
    }

    private static func run(_ parsed: ParsedOptions) throws -> ExitCode {
        if parsed.has("list") {
            for each in ConformanceCase.all { try StandardOutput.print("\(each.name): \(each.promise)") }
            return .success
        }
        let cases = try chosen(parsed)
        var certification = Certification(asJSON: parsed.has("json"))
        if parsed.has("server") {
            guard parsed.operands.isEmpty else { throw UsageError("--server starts a server; do not name another") }
            try checkBuild()
            try ServerTrial(cases: cases, faults: budget(parsed)).run(&certification)
            return try certification.end()
        }
        guard parsed.operands.count == 1, let target = parsed.operands.first else {
            throw UsageError("name one database, postgresql://USER@HOST/NAME or sqlite:DIRECTORY, or --server")
        }
        guard !parsed.has("faults") else { throw UsageError("--faults kills the server, so it needs --server") }
        if target.hasPrefix("sqlite:") {
            try certification.run(cases, on: files(in: String(target.dropFirst("sqlite:".count))))
            return try certification.end()
        }
        try checkBuild()
        let settings = try PostgreSQLSettings(
            address: ServerAddress(target), passfile: parsed["passfile"], host: "certify")
        if let table = parsed["insert-until-killed"] { return try Victim(settings, table: table).run() }
        try certification.run(cases, on: stores(settings))
        return try certification.end()
    }

    private static func budget(_ parsed: ParsedOptions) throws -> FaultBudget? {
        let seconds = try parsed.number("seconds", 60.0, within: 1...86_400)
        // A million: some days.
        let points = try parsed.has("points") ? parsed.number("points", 0, within: 1...1_000_000) : nil
        guard points == nil || !parsed.has("seconds") else { throw UsageError("give either --seconds or --points") }
        guard parsed.has("faults") else { return nil }
        return points.map { .points($0) } ?? .seconds(seconds)
    }

    private static func chosen(_ parsed: ParsedOptions) throws(UsageError) -> [ConformanceCase] {
        let names = parsed.all("case")
        for name in names where !ConformanceCase.all.contains(where: { $0.name == name }) {
            throw UsageError("--case \(name): there is no such case; --list lists them")
        }
        return names.isEmpty ? ConformanceCase.all : ConformanceCase.all.filter { names.contains($0.name) }
    }

    private static func checkBuild() throws(SetUpError) {
        guard SharedStore.isBuiltIn else {
            throw SetUpError(
                .notConfigured,
                "this program was built without PostgreSQL; install libpq-dev, and build it with “swift build --traits PostgreSQL --product watchlink-certify”"
            )
        }
    }

    /// Returns the stores in a server.
    static func stores(_ settings: PostgreSQLSettings) -> StoreMaker {
        StoreMaker(isShared: true) { kind, host in
            var settings = settings
            settings.host = host
            return try SharedStore.store(kind: kind, settings: settings)
        } remove: { kind in
            try SharedStore.remove(kind, settings: settings)
        }
    }

    /// Returns the stores in SQLite files of a directory.
    private static func files(in directory: String) throws(SetUpError) -> StoreMaker {
        guard access(directory, W_OK) == 0 else {
            throw SetUpError(
                .notConfigured, "sqlite:\(directory): \(SystemError("write into", on: directory)); name a directory")
        }
        let path = { @Sendable (kind: RecordKind) in "\(directory)/\(kind.plural).sqlite" }
        return StoreMaker(isShared: false) { kind, _ in
            try SQLiteRecordStore(kind: kind, path: path(kind))
        } remove: { kind in
            for name in try FileManager.default.contentsOfDirectory(atPath: directory)
            where name.hasPrefix("\(kind.plural).") {
                try FileManager.default.removeItem(atPath: "\(directory)/\(name)")
            }
        }
    }

    private static func help(_ parser: OptionParser) -> String {
        """
        watchlink-certify: checks that a database keeps every promise of a store of records. It makes tables of its own,
        or files of its own, whose names begin with “c” and a number, and removes them.

        Examples:
          watchlink-certify postgresql://watchlink@db.example.org/records?sslmode=verify-full --passfile ~/.pgpass
                                                    an existing server, or one that speaks its protocol
          watchlink-certify --server                PostgreSQL from this machine's package, started for the trial
          watchlink-certify --server --faults       and cut, stalled and killed for a minute
          watchlink-certify sqlite:/var/lib/watchlink
                                                    SQLite on that directory's disk
          watchlink-certify --list                  the promises

        Options:
        \(parser.help)

        Exit codes: 0 every promise was kept, 1 one was broken, 2 invalid arguments, 6 something is not installed.
        """
    }
}
