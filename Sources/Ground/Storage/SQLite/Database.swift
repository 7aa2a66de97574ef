import CDisk
import CSQLite
import CrashPoints
import Foundation
import Metrics
import Synchronization

/// One connection to a database file whose schema is brought up to date, with its prepared statements.
///
/// Every commit is on the disk when it returns: WAL with `synchronous=FULL`; NORMAL loses acknowledged rows in a power cut.
package final class Database {
    /// How long SQLite waits for a lock that another program holds: a person's `sqlite3`, a backup.
    private static let busyMilliseconds: Int32 = 2_000
    /// Pages of the file that are kept in memory. 16 MiB, taken as they are used: identifiers are random, so that each row
    /// touches another page of an index; SQLite's 2 MB read them again from 20,000 rows on.
    private static let cacheKibibytes = 16 * 1_024
    /// Pages in the log after which they are written into the file. 4,000, or 16 MB, where SQLite has 1,000: an index's pages
    /// change many times in between, and are written into the file once. After a crash they are read again, in some 30 ms.
    private static let logPages = 4_000

    /// SQLite counts the memory of all connections under one lock, which each row would take some ten times. Nobody asks for
    /// the count. It is refused, and changes nothing, where an application has used SQLite before.
    private static let memoryIsNotCounted = watchlink_sqlite_count_no_memory() == SQLITE_OK

    private static let allCommits = MetricRegistry.process.counter(
        "watchlink_database_commits_total", help: "Transactions that are on the disk, by the database's file.",
        labels: "database")

    /// How many there have been: so that a version of one is never taken for one of another.
    private static let connections = Atomic<UInt64>(0)

    package let path: String
    private let connection = connections.add(1, ordering: .relaxed).newValue
    private let commits: Counter.Cell
    package let handle: OpaquePointer
    /// SQL as a key: hashed by its length alone, as texts of hundreds of bytes are looked up several times a row.
    private struct Key: Hashable {
        let sql: String

        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
    }

    private var statements: [Key: Statement] = [:]

    /// What a connection may do to the file.
    package enum Access {
        /// Not a byte of it may change; it must exist.
        case reading
        /// It is taken as it is, and must exist: no log is made beside it.
        case asItIs
        /// It is made if it is not there.
        case using
    }

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - migrations: The schema's versions in order, each as SQL; never edited once released. `user_version` says
    ///     how many a file has seen. A file that has seen more is refused. Nil to leave the schema as it is.
    ///   - check: Refuses a database that is not the right one, before anything in it is changed.
    package init(
        path: String, migrations: [String]?, access: Access = .using,
        check: (Database) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
    ) throws(DatabaseError) {
        var handle: OpaquePointer?
        _ = Self.memoryIsNotCounted
        let installed = watchlink_disk_install()
        guard installed == SQLITE_OK else {
            throw DatabaseError(code: installed, path: path, operation: "open", detail: "SQLite has no file system")
        }
        let flags =
            switch access {
            case .reading: SQLITE_OPEN_READONLY
            case .asItIs: SQLITE_OPEN_READWRITE
            case .using: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            }
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let error = handle.map { Self.error($0, path: path, operation: "open") }
            sqlite3_close_v2(handle)
            throw error ?? DatabaseError(code: code, path: path, operation: "open", detail: "out of memory")
        }
        self.path = path
        let name = String(path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...])
        commits = Self.allCommits.cell(name)
        self.handle = handle
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        try execute("PRAGMA trusted_schema = OFF")
        try check(self)
        guard access == .using else { return }
        // Pages of deleted rows can be given back a few at a time. It holds for a file that has no table yet.
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        try set("PRAGMA journal_mode = WAL", to: "wal")
        try execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        try execute("PRAGMA cache_size = -\(Self.cacheKibibytes); PRAGMA wal_autocheckpoint = \(Self.logPages)")
        if let migrations { try migrate(migrations) }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// A prepared statement, ready to be bound; kept for the next time.
    package func statement(_ sql: String) throws(DatabaseError) -> Statement {
        let key = Key(sql: sql)
        if let known = statements[key] {
            known.reset()
            return known
        }
        let statement = try Statement(sql, on: handle, path: path)
        statements[key] = statement
        return statement
    }

    /// Runs SQL without parameters or results.
    package func execute(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Self.error(handle, path: path, operation: "run “\(sql)” on")
        }
    }

    /// Runs a PRAGMA that answers with what holds from now on. SQLite keeps the former value where it cannot do what is asked.
    package func set(_ sql: String, to wanted: String) throws(DatabaseError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        let value = try statement.step() ? statement.text(0) : ""
        guard value == wanted else {
            throw DatabaseError(
                code: SQLITE_BUSY, path: path, operation: "run “\(sql)” on", detail: "it stays “\(value)”")
        }
    }

    /// The first column of the first row; 0 if there is none.
    package func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// All or nothing. The commit is durable when this returns.
    package func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            CrashPoint.committing.pass()
            try statement("COMMIT").run()
            commits.add()
            DatabaseHealth.process.committed(path)
            return result
        } catch {
            // Some errors end the transaction by themselves.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Rows that were changed through this connection since it was opened.
    package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// In a transaction, what it looks at; after a commit, what that left behind. Nil if SQLite does not say.
    package var contentVersion: ContentVersion? {
        var number: UInt32 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &number) == SQLITE_OK else { return nil }
        return ContentVersion(connection: connection, number: number)
    }

    private func migrate(_ migrations: [String]) throws(DatabaseError) {
        let version = Int(try number("PRAGMA user_version"))
        guard version <= migrations.count else {
            throw DatabaseError(
                code: SQLITE_MISMATCH, path: path, operation: "use",
                detail: "its schema has version \(version), this program knows up to \(migrations.count)")
        }
        guard version < migrations.count else { return }
        try addMigrationFunctions()
        for (index, sql) in migrations.enumerated().dropFirst(version) {
            try transaction { () throws(DatabaseError) in
                try execute(sql)
                CrashPoint.migrating.pass()
                try execute("PRAGMA user_version = \(index + 1)")
            }
        }
    }

    /// `uuid_bytes(text)`: the bytes of an identifier's text, NULL for what is none. Identifiers were texts formerly.
    private func addMigrationFunctions() throws(DatabaseError) {
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = sqlite3_create_function_v2(
            handle, "uuid_bytes", 1, flags, nil,
            { context, _, values in
                guard let text = sqlite3_value_text(values?[0]),
                    let identifier = UUID(uuidString: String(cString: text))
                else { return sqlite3_result_null(context) }
                withUnsafeBytes(of: identifier.uuid) {
                    sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), watchlink_sqlite_transient())
                }
            }, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw Self.error(handle, path: path, operation: "add a function to")
        }
    }

    package static func error(_ handle: OpaquePointer, path: String, operation: String) -> DatabaseError {
        DatabaseError(
            code: sqlite3_extended_errcode(handle), path: path, operation: operation,
            detail: String(cString: sqlite3_errmsg(handle)))
    }
}
