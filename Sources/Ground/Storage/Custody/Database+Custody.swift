import CDisk
import CSQLite
import Foundation

/// Which database it is, whether its files are still where they were, and leaving them alone if not.
extension Database {
    // MARK: - Identity

    /// The number that the database got when it was first used; 0 for one that never was. It stands in the header of its own
    /// file: a log that lies beside it may be that of another database.
    var identifier: UInt32 { watchlink_disk_application(handle) }

    /// Gives the database another number, which is in its file when this returns. SQLite calls it the application's: a program
    /// that does not know of it is not disturbed.
    func setIdentifier(_ identifier: UInt32) throws(DatabaseError) {
        try execute("PRAGMA application_id = \(Int32(bitPattern: identifier))")
        try writeLogIntoFile()
    }

    static func newIdentifier() -> UInt32 { .random(in: 1...(.max)) }

    // MARK: - Place

    /// How its files differ from those that their names stand for; nil if they do not.
    var displacement: DatabaseDisplacement? {
        switch UInt32(watchlink_disk_look(handle)) {
        case WATCHLINK_PLACE_GONE.rawValue: .gone
        case WATCHLINK_PLACE_REPLACED.rawValue: .replaced
        case WATCHLINK_PLACE_EMPTIED.rawValue: .emptied
        case WATCHLINK_PLACE_OVERWRITTEN.rawValue: .overwritten
        case WATCHLINK_PLACE_LOG_GONE.rawValue: .logGone
        case WATCHLINK_PLACE_LOG_REPLACED.rawValue: .logReplaced
        case WATCHLINK_PLACE_LOG_EMPTIED.rawValue: .logEmptied
        default: nil
        }
    }

    /// Writes all that its log holds into the file.
    ///
    /// - Parameter isEmptied: Whether the log gives its own space back, too.
    package func writeLogIntoFile(emptyingIt isEmptied: Bool = false) throws(DatabaseError) {
        var (frames, written): (Int32, Int32) = (0, 0)
        let mode = isEmptied ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_FULL
        let code = sqlite3_wal_checkpoint_v2(handle, "main", mode, &frames, &written)
        guard code == SQLITE_OK, frames == written else {
            throw DatabaseError(
                code: code == SQLITE_OK ? SQLITE_BUSY : code, path: path, operation: "write the log into",
                detail: "\(written) of \(frames) pages are written")
        }
    }

    /// Closing it will touch no file: what has its names now may be another database.
    func abandonFiles() throws(DatabaseError) {
        guard watchlink_sqlite_leave_log(handle) == SQLITE_OK else {
            throw Self.error(handle, path: path, operation: "leave the log of")
        }
    }

    /// Locks everybody else out until the connection is closed, with all content in the one file.
    func seize() throws(DatabaseError) {
        try set("PRAGMA locking_mode = EXCLUSIVE", to: "exclusive")
        // It needs the file for this connection alone: whoever else has it open holds a lock.
        try set("PRAGMA journal_mode = DELETE", to: "delete")
        try execute("BEGIN EXCLUSIVE")
    }
}
