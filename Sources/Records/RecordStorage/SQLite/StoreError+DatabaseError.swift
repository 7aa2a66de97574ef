import CSQLite
import Storage

extension StoreError {
    /// Creates the error of an operation of SQLite.
    init(_ error: DatabaseError) {
        self.init(Self.kind(of: error), error.description)
    }

    /// Runs a body, and converts SQLite's errors to those of stores.
    static func of<Result>(_ body: () throws(DatabaseError) -> Result) throws(StoreError) -> Result {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw StoreError(error)
        }
    }

    private static func kind(of error: DatabaseError) -> Kind {
        if error.isDisplaced { return .displaced }
        return switch error.code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_FULL, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_INTERRUPT,
            SQLITE_PROTOCOL, SQLITE_SCHEMA:
            .unavailable
        default: .refused
        }
    }
}
