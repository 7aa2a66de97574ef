import CSQLite
public import Foundation
import Storage

extension SQLiteRecordStore: EmbeddedStore {
    /// The number of pages freed per step. 16: the commit costs more than these; 1,024: the log remains small.
    private static let pagesAtOnce = 16...1_024
    /// The largest database of an earlier version that is compacted while in use. Such a file can only be compacted as
    /// a whole, at about 80 MB a second. 32 MiB: others wait half a second.
    private static let bytesAtOnce: Int64 = 32 * 1_024 * 1_024
    /// The value of `PRAGMA auto_vacuum` with which pages can be freed a few at a time.
    private static let incremental: Int64 = 2

    /// Closes the connection. The next use opens it again.
    public func close() { file.close() }

    /// Checks that the database can be used.
    public func look() throws(StoreError) { try file.serve { _ in } }

    /// Writes a copy at a gentle pace.
    public func backUp(
        to path: String, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> Int64 {
        try look()
        return try StoreError.of { () throws(DatabaseError) in
            try DatabaseBackup.copy(self.path, to: path, pace: .gentle, progress: progress)
        }
    }

    /// Runs SQLite's integrity check.
    public func problems() throws(StoreError) -> [String] { try problems { _, _ in } }

    /// Runs SQLite's integrity check, and reports the pages read.
    public func problems(progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) -> [String] {
        try look()
        return try StoreError.of { () throws(DatabaseError) in
            try DatabaseCheck.problems(in: path, progress: progress)
        }
    }

    /// Returns free space to the file system. Throws if a large database of an earlier version is in use.
    public func compact(
        isAlone: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(StoreError) -> (before: Int64, after: Int64) {
        let (before, mode, free) = try file.serve { database throws(DatabaseError) in
            (
                try Self.size(database), try database.number("PRAGMA auto_vacuum"),
                try database.number("PRAGMA freelist_count")
            )
        }
        if mode == Self.incremental {
            try compactInPieces(Int(free), progress)
        } else {
            try compactAtOnce(before, isAlone: isAlone)
        }
        return try file.serve { database throws(DatabaseError) in
            do throws(DatabaseError) {
                try database.writeLogIntoFile(emptyingIt: true)
            } catch  where error.isBusy {
                // A reader is active. The file shrinks at the next checkpoint.
            }
            return (before, try Self.size(database))
        }
    }

    private func compactInPieces(_ total: Int, _ progress: (_ done: Int, _ total: Int) -> Void) throws(StoreError) {
        var left = Int64(total)
        guard left > 0 else { return }
        let checkpoint = try StoreError.of { () throws(DatabaseError) in try DatabaseCheckpoint(of: path) }
        var size = PieceSize(Self.pagesAtOnce)
        while left > 0 {
            let start = ContinuousClock.now
            let (now, time) = try file.serve { [pages = size.count] database throws(DatabaseError) in
                let start = ContinuousClock.now
                try database.execute("PRAGMA incremental_vacuum(\(pages))")
                return (try database.number("PRAGMA freelist_count"), ContinuousClock.now - start)
            }
            size.took(time)
            // Otherwise the commit that fills the log writes all of it into the file, and everybody waits for that.
            try StoreError.of { () throws(DatabaseError) in try checkpoint.run() }
            progress(max(0, total - Int(now)), total)
            guard now < left else { return }
            left = now
            // Leaves the database to other users for the same time.
            Thread.sleep(forTimeInterval: (ContinuousClock.now - start) / .seconds(1))
        }
    }

    private func compactAtOnce(_ size: Int64, isAlone: Bool) throws(StoreError) {
        guard isAlone || size <= Self.bytesAtOnce else {
            throw StoreError(
                DatabaseError(
                    code: SQLITE_BUSY, path: path, operation: "compact",
                    detail: "it was created by an earlier version, and compacting it once blocks the service for a "
                        + "while: stop the host, then vacuum"))
        }
        // From now on space can be freed a few pages at a time.
        try file.serve { database throws(DatabaseError) in try database.execute("VACUUM") }
    }

    /// Returns the number of records, and of those that arrived before a time.
    public func ages(before time: Date) throws(StoreError) -> RecordAges {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(sql.ages)
            try statement.bind(time.milliseconds, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { return RecordAges(total: 0, older: 0, newest: nil) }
            return RecordAges(
                total: Int(statement.integer(0)), older: Int(statement.integer(1)),
                newest: statement.isNull(2) ? nil : Date(milliseconds: statement.integer(2)))
        }
    }

    private static func size(_ database: Database) throws(DatabaseError) -> Int64 {
        try database.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    }

    /// Replaces the database by a backup. It must not be in use; if it is, nothing is changed.
    ///
    /// - Returns: The path of the previous database; nil if there was none.
    package func restore(from source: String, at time: Date) throws(StoreError) -> String? {
        return try StoreError.of { () throws(DatabaseError) in
            try DatabaseRestore.restore(source, to: path, schema: RecordSchema(kind).schema, at: time)
        }
    }
}
