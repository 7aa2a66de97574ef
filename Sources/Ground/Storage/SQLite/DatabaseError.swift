import CSQLite
package import Files
import Glibc

/// A database operation that failed: the database, the operation and SQLite's message.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its low byte is the primary one.
    public let code: Int32
    /// The path of the database.
    public let path: String
    /// The operation that failed, as a verb before the path: “open”, “write the log into”.
    public let operation: String
    /// The cause, in SQLite's or the system's words.
    public let detail: String
    /// The difference if the files are not those of the database that belongs there; nil otherwise.
    let displacement: DatabaseDisplacement?

    package init(code: Int32, path: String, operation: String, detail: String) {
        self.code = code
        self.path = path
        self.operation = operation
        self.detail = detail
        displacement = nil
    }

    /// Creates an error for a path whose files are not those of the database that belongs there.
    init(_ displacement: DatabaseDisplacement, path: String) {
        code = SQLITE_READONLY | (4 << 8)
        self.path = path
        operation = "use"
        detail = displacement.description
        self.displacement = displacement
    }

    /// Creates an error for a system call that failed on a file of a database.
    package init(_ error: SystemError, path: String) {
        self.init(
            code: SQLITE_IOERR, path: path, operation: "\(error.call) \(error.subject) for",
            detail: String(cString: strerror(error.code)))
    }

    /// True if the database is missing, empty, replaced or an older copy: a person must act before it can be used.
    public var isDisplaced: Bool { displacement != nil }

    public var description: String {
        "cannot \(operation) \(path): \(detail) (SQLite \(code)); \(advice)"
    }

    /// True if another connection holds the lock.
    package var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    /// True if the connection is no longer usable, and the next attempt should open the file again.
    ///
    /// A disk that refuses a write or a sync is not such a case. The whole commit may be in the log when its sync
    /// fails: the connection that got the error overwrites it with its next commit, while a new connection, which reads
    /// the log from scratch, would take it for a successful one.
    package var needsReopening: Bool {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN: true
        // Further bits mean a cause other than the disk: the file was moved, or its log cannot be recovered.
        case SQLITE_READONLY: code != SQLITE_READONLY
        default: false
        }
    }

    private var advice: String {
        if displacement != nil {
            return "put the right file back or restore a backup; to continue with the present state instead, remove "
                + "\(DatabaseMark.path(of: path)) and start again"
        }
        return switch code & 0xFF {
        case SQLITE_FULL: "free some disk space"
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
            "make the file and its directory writable for this user"
        case SQLITE_CORRUPT, SQLITE_NOTADB: "restore the file from a backup or move it away"
        case SQLITE_BUSY, SQLITE_LOCKED: "stop the other program that holds the database"
        case SQLITE_MISMATCH: "use the newer version of WatchLink that wrote it"
        default: "see the message"
        }
    }
}
