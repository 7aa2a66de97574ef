import CSQLite
import Foundation
import LinkProtocol
import LinkTransport

/// The reference for durable delivery: SQLite alone, with the same archive, durability (WAL, FULL) and disk.
final class SQLiteReference {
    private var database: OpaquePointer?
    private var statement: OpaquePointer?
    private let archive: Data

    init(path: String, archive: Data) throws {
        self.archive = archive
        let sql = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE quizzes (sequence INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, archive BLOB NOT NULL) STRICT;
            """
        guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(
                database, "INSERT INTO quizzes (identifier, archive) VALUES (?1, ?2)", -1, &statement, nil)
                == SQLITE_OK
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
        sqlite3_bind_text(statement, 1, UUID.random().uuidString, -1, transient)
        archive.withUnsafeBytes { _ = sqlite3_bind_blob(statement, 2, $0.baseAddress, Int32($0.count), transient) }
        guard sqlite3_step(statement) == SQLITE_DONE else {
            throw BenchError("SQLite: \(String(cString: sqlite3_errmsg(database)))")
        }
        sqlite3_reset(statement)
    }
}
