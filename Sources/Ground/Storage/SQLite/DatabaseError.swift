import CSQLite
package import Files
import Glibc

/// What SQLite refused: which database, during what, and SQLite's own words.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its low byte is the primary one.
    public let code: Int32
    public let path: String
    public let operation: String
    public let detail: String
    /// Set if the files are not those of the database that belongs there.
    let displacement: DatabaseDisplacement?

    package init(code: Int32, path: String, operation: String, detail: String) {
        self.code = code
        self.path = path
        self.operation = operation
        self.detail = detail
        displacement = nil
    }

    /// The files at a path are not those of the database that belongs there.
    init(_ displacement: DatabaseDisplacement, path: String) {
        code = SQLITE_READONLY | (4 << 8)
        self.path = path
        operation = "use"
        detail = displacement.description
        self.displacement = displacement
    }

    /// A system call failed on a file that belongs to a database.
    package init(_ error: SystemError, path: String) {
        self.init(
            code: SQLITE_IOERR, path: path, operation: "\(error.call) \(error.subject) for",
            detail: String(cString: strerror(error.code)))
    }

    /// Whether a person must look before the database may be used: it is gone, empty, another one, or an older copy.
    public var isDisplaced: Bool { displacement != nil }

    public var description: String {
        "cannot \(operation) \(path): \(detail) (SQLite \(code)); \(advice)"
    }

    /// Whether somebody else holds what was wanted.
    package var isBusy: Bool { code & 0xFF == SQLITE_BUSY }

    /// Whether the connection itself is of no further use, and the next attempt should open the file anew.
    ///
    /// A disk that refuses a write or a sync is none of these. All of a commit may be in the log when its sync fails: the connection that was told so
    /// writes its next commit over it, while another one, which reads the log anew, takes it for one that went well.
    package var needsReopening: Bool {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN: true
        // With more bits than the plain code, something other than a disk is read-only: the file moved, or its log cannot be recovered.
        case SQLITE_READONLY: code != SQLITE_READONLY
        default: false
        }
    }

    private var advice: String {
        if displacement != nil {
            return "put it back, or restore a backup; to go on with what is there now instead, remove "
                + "\(DatabaseMark.path(of: path)) and start again"
        }
        return switch code & 0xFF {
        case SQLITE_FULL: "free some disk space"
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM:
            "make the file and its directory writable for this user"
        case SQLITE_CORRUPT, SQLITE_NOTADB: "restore the file from a backup or move it away"
        case SQLITE_BUSY, SQLITE_LOCKED: "end the other program that holds the database"
        case SQLITE_MISMATCH: "use the newer version of WatchLink that wrote it"
        default: "see the message"
        }
    }
}
