import CDisk
import CSQLite
import CrashPoints
import Foundation
import Metrics
import Synchronization

/// A connection to a database file whose schema is migrated on opening, with its prepared statements.
///
/// Every commit is durable when it returns: WAL with `synchronous=FULL`; NORMAL loses acknowledged rows in a power cut.
package final class Database {
    /// The time that SQLite waits for a lock of another program, such as a user's `sqlite3` or a backup.
    private static let busyMilliseconds: Int32 = 2_000
    /// The time in which a new file must get its log, and the pause between attempts, in microseconds. Ten seconds: each of
    /// the connections that open it at the same moment may sync it once.
    private static let (logPatience, logPause) = (Duration.seconds(10), UInt32(5_000))
    /// The size of the page cache. 16 MiB, allocated on demand: identifiers are random, so that each row touches
    /// another page of an index; with SQLite's 2 MB these pages are read again from 20,000 rows on.
    private static let cacheKibibytes = 16 * 1_024
    /// The number of pages in the log that triggers a checkpoint. 4,000, or 16 MB, instead of SQLite's 1,000: an
    /// index's pages change many times in between, and are written into the file once. Reading them again after a crash
    /// takes about 30 ms.
    private static let logPages = 4_000
    /// The same while many rows are inserted: 32 MiB, and 16,000 pages or 64 MB. Each commit then changes most pages of an index,
    /// which are written into the file a fourth as often; more memory saves nothing.
    private static let (cacheKibibytesForMany, logPagesForMany) = (32 * 1_024, 16_000)

    /// SQLite accounts for the memory of all connections under one lock, which each row would take about ten times.
    /// Nothing uses the count. The call fails, without effect, in an application that has used SQLite before.
    private static let memoryIsNotCounted = watchlink_sqlite_count_no_memory() == SQLITE_OK

    private static let allCommits = MetricRegistry.process.counter(
        "watchlink_database_commits_total", help: "Committed transactions, by the database's file name.",
        labels: "database")

    /// The number of connections so far; it makes the versions of different connections distinct.
    private static let connections = Atomic<UInt64>(0)

    package let path: String
    private let connection = connections.add(1, ordering: .relaxed).newValue
    private let commits: Counter.Cell
    package let handle: OpaquePointer
    /// SQL as a dictionary key. It is hashed by its length alone, because texts of hundreds of bytes are looked up
    /// several times per row.
    private struct Key: Hashable {
        let sql: String

        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
    }

    private var statements: [Key: Statement] = [:]
    /// True while there is room for many rows.
    private var expectsManyRows = false

    /// A query for a number that each transaction reads before its commit: afterwards it would need the file's locks
    /// again. Nil for none.
    package var numberQuery: String?
    /// The result of ``numberQuery`` in the last transaction that was committed; nil if there was none since it was
    /// taken.
    private var committedNumber: Int64?

    /// The access of a connection to the file.
    package enum Access {
        /// Read only; the file must exist.
        case reading
        /// Read and write without changing the journal mode or the schema; the file must exist.
        case asItIs
        /// Read and write in WAL mode; the file is created if it does not exist.
        case using
    }

    /// Opens or creates the file.
    ///
    /// - Parameters:
    ///   - migrations: The schema's versions. `user_version` is the number of the steps that a file has applied. A file with a
    ///     higher number is rejected. Nil to leave the schema unchanged.
    ///   - check: Throws to reject a database before anything in it is changed.
    package init(
        path: String, migrations: Migrations?, access: Access = .using,
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
        try spareJournal()
        // Lets pages of deleted rows be freed a few at a time. Takes effect only in a file without tables.
        try execute("PRAGMA auto_vacuum = INCREMENTAL")
        try logAhead()
        try execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
        try execute("PRAGMA cache_size = -\(Self.cacheKibibytes); PRAGMA wal_autocheckpoint = \(Self.logPages)")
        if let migrations { try migrate(migrations) }
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Returns a cached prepared statement, reset and without bindings.
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

    /// Makes room for many rows in one transaction, or gives it back. Does nothing if it is as it should be.
    package func expect(manyRows: Bool) throws(DatabaseError) {
        guard manyRows != expectsManyRows else { return }
        try execute("PRAGMA cache_size = -\(manyRows ? Self.cacheKibibytesForMany : Self.cacheKibibytes)")
        sqlite3_wal_autocheckpoint(handle, Int32(manyRows ? Self.logPagesForMany : Self.logPages))
        expectsManyRows = manyRows
    }

    /// Runs SQL without parameters or results.
    package func execute(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw Self.error(handle, path: path, operation: "run “\(sql)” on")
        }
    }

    /// Runs a PRAGMA that returns the new value. SQLite keeps the previous value if it cannot comply.
    package func set(_ sql: String, to wanted: String) throws(DatabaseError) {
        let statement = try statement(sql)
        defer { statement.reset() }
        let value = try statement.step() ? statement.text(0) : ""
        guard value == wanted else {
            throw DatabaseError(
                code: SQLITE_BUSY, path: path, operation: "run “\(sql)” on", detail: "the value remains “\(value)”")
        }
    }

    /// Returns the first column of the first row; 0 if there is no row.
    package func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Runs the body in a transaction, and rolls back if it throws. The commit is durable when this returns.
    package func transaction<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
        try statement("BEGIN IMMEDIATE").run()
        do {
            let result = try body()
            let number = if let numberQuery { try number(numberQuery) } else { Int64?.none }
            CrashPoint.committing.pass()
            try statement("COMMIT").run()
            committedNumber = number
            commits.add()
            DatabaseHealth.process.committed(path)
            return result
        } catch {
            // Some errors roll the transaction back by themselves.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Returns the result of ``numberQuery`` in the last transaction, once; nil if nothing was committed by one.
    package func takeCommittedNumber() -> Int64? {
        defer { committedNumber = nil }
        return committedNumber
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }
    package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows changed through this connection since it was opened.
    package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// The version of the content: inside a transaction, the one it reads; after a commit, the one it left. Nil if
    /// SQLite does not report it.
    package var contentVersion: ContentVersion? {
        var number: UInt32 = 0
        guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &number) == SQLITE_OK else { return nil }
        return ContentVersion(connection: connection, number: number)
    }

    /// An empty file gets its one page in two commits. With a journal in memory these sync twice instead of eight times, and
    /// whatever a power cut leaves of that page is an empty database.
    private func spareJournal() throws(DatabaseError) {
        guard try number("PRAGMA page_count") == 0 else { return }
        do throws(DatabaseError) {
            try set("PRAGMA journal_mode = MEMORY", to: "memory")
        } catch  where error.isBusy {
            // Another connection has just given the file its page and its log.
        }
    }

    /// Two connections that give a new file its log at the same moment refuse each other at once: each has a lock that the
    /// other waits for, so SQLite does not let them wait.
    private func logAhead() throws(DatabaseError) {
        let end = ContinuousClock.now + Self.logPatience
        while true {
            do throws(DatabaseError) {
                return try set("PRAGMA journal_mode = WAL", to: "wal")
            } catch {
                guard error.isBusy, ContinuousClock.now < end else { throw error }
                usleep(Self.logPause)
            }
        }
    }

    private func migrate(_ migrations: Migrations) throws(DatabaseError) {
        let steps = migrations.steps
        let version = Int(try number("PRAGMA user_version"))
        guard version <= steps.count else {
            throw DatabaseError(
                code: SQLITE_MISMATCH, path: path, operation: "use",
                detail: "its schema version \(version) is newer than this program's \(steps.count)")
        }
        guard version < steps.count else { return }
        if version == 0, let latest = migrations.latest {
            return try transaction { () throws(DatabaseError) in try apply(latest, from: 0, to: steps.count) }
        }
        try addMigrationFunctions()
        // A new file gets its schema in one commit. In one with rows, a step that was done is not lost with the next.
        let parts = version == 0 ? [0..<steps.count] : (version..<steps.count).map { $0..<($0 + 1) }
        for part in parts {
            try transaction { () throws(DatabaseError) in
                for index in part { try apply(steps[index], from: index, to: index + 1) }
            }
        }
    }

    /// Brings the schema from one version to another.
    private func apply(_ migration: String, from version: Int, to next: Int) throws(DatabaseError) {
        // Another connection that opened the file at the same time may have done it while this one waited.
        guard try number("PRAGMA user_version") == version else { return }
        try execute(migration)
        CrashPoint.migrating.pass()
        try execute("PRAGMA user_version = \(next)")
    }

    /// Registers `uuid_bytes(text)`: the bytes of an identifier, NULL for other text. Early schemas stored text.
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
