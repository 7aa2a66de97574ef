import CSQLite

/// What SQLite refused: which database, during what, and SQLite's own words.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its low byte is the primary one.
    public let code: Int32
    public let path: String
    public let operation: String
    public let detail: String

    init(code: Int32, path: String, operation: String, detail: String) {
        self.code = code
        self.path = path
        self.operation = operation
        self.detail = detail
    }

    public var description: String {
        "cannot \(operation) \(path): \(detail) (SQLite \(code)); \(advice)"
    }

    /// Whether the connection itself is of no further use, and the next attempt should open the file anew.
    var needsReopening: Bool {
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY: true
        default: false
        }
    }

    private var advice: String {
        switch code & 0xFF {
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
