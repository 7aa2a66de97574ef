import CDisk
import CSQLite
import Foundation

/// The identity of a database, the location of its files, and leaving the files alone if they were replaced.
extension Database {
    // MARK: - Identity

    /// The random number that identifies the database; 0 for one that was never used. It is stored in the header of the
    /// database file: a log beside that file may belong to another database.
    var identifier: UInt32 { watchlink_disk_application(handle) }

    /// Changes the identifier, which is in the file when this returns. It is stored as SQLite's application_id, which
    /// does not disturb other programs.
    func setIdentifier(_ identifier: UInt32) throws(DatabaseError) {
        try execute("PRAGMA application_id = \(Int32(bitPattern: identifier))")
        try writeLogIntoFile()
    }

    static func newIdentifier() -> UInt32 { .random(in: 1...(.max)) }

    // MARK: - Place

    /// The difference between the open files and those at their paths; nil if they are the same.
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

    /// Writes the whole log into the database file (a checkpoint).
    ///
    /// - Parameter isEmptied: True to truncate the log as well.
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

    /// Makes closing leave all files untouched: the paths may belong to another database now.
    func abandonFiles() throws(DatabaseError) {
        guard watchlink_sqlite_leave_log(handle) == SQLITE_OK else {
            throw Self.error(handle, path: path, operation: "leave the log of")
        }
    }

    /// Locks out all other connections until this one is closed, with the whole content in the one file.
    func seize() throws(DatabaseError) {
        try set("PRAGMA locking_mode = EXCLUSIVE", to: "exclusive")
        // Changing the journal mode needs exclusive access: any other open connection holds a lock.
        try set("PRAGMA journal_mode = DELETE", to: "delete")
        try execute("BEGIN EXCLUSIVE")
    }
}
