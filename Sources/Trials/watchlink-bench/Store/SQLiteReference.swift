import CSQLite
import Foundation
import LinkProtocol
import LinkTransport

/// The reference for durable delivery: SQLite alone, with the same archive, durability (WAL, FULL) and disk.
final class SQLiteReference {
    /// The key of a row.
    enum Key {
        /// The number of the row: nothing faster stores rows, but it recognizes no repeat.
        case integer
        /// A unique, random identifier as text beside it, as is common for hosts that must store exactly once.
        case text
    }

    private var database: OpaquePointer?
    private var statement: OpaquePointer?
    private let archive: Data
    private let key: Key

    init(path: String, archive: Data, key: Key) throws {
        self.archive = archive
        self.key = key
        let column = key == .text ? "identifier TEXT NOT NULL UNIQUE, " : ""
        let sql = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE quizzes (sequence INTEGER PRIMARY KEY, \(column)archive BLOB NOT NULL) STRICT;
            """
        let insertion =
            key == .text
            ? "INSERT INTO quizzes (archive, identifier) VALUES (?1, ?2)" : "INSERT INTO quizzes (archive) VALUES (?1)"
        guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(database, insertion, -1, &statement, nil) == SQLITE_OK
        else { throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(database)))") }
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(database)
    }

    /// Inserts until the time is over, with the given number per transaction.
    func run(seconds: Double, perTransaction: Int) throws -> Outcome {
        var pace = Pace(seconds: seconds)
        while true {
            let start = MonotonicTime.now
            try insert(perTransaction)
            for _ in 0..<perTransaction where !pace.received(sentAt: start) { return pace.outcome }
        }
    }

    /// Inserts the given number of rows in one transaction.
    func insert(_ count: Int) throws {
        sqlite3_exec(database, "BEGIN IMMEDIATE", nil, nil, nil)
        for _ in 0..<count { try insert() }
        guard sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_OK else {
            throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
    }

    private func insert() throws {
        let transient = watchlink_sqlite_transient()
        if key == .text { sqlite3_bind_text(statement, 2, UUID.random().uuidString, -1, transient) }
        archive.withUnsafeBytes { _ = sqlite3_bind_blob(statement, 1, $0.baseAddress, Int32($0.count), transient) }
        guard sqlite3_step(statement) == SQLITE_DONE else {
            throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
        sqlite3_reset(statement)
    }
}
