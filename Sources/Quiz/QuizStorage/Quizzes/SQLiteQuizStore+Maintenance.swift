import CSQLite
public import Foundation
public import Storage

extension SQLiteQuizStore: QuizStoreMaintenance {
    /// Pages that are given back at once. 256, or 1 MiB: others wait for it some ten milliseconds.
    private static let pagesAtOnce = 256
    /// A database of an earlier version gives space back only all at once, at some 80 MB a second. 32 MiB: others wait for it
    /// half a second.
    private static let bytesAtOnce: Int64 = 32 * 1_024 * 1_024
    /// `PRAGMA auto_vacuum`: pages can be given back a few at a time.
    private static let incremental: Int64 = 2

    public func close() { file.close() }

    public func look() throws(DatabaseError) { try file.use { _ in } }

    public func backUp(
        to path: String, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(DatabaseError) -> Int64 {
        try look()
        return try DatabaseBackup.copy(self.path, to: path, pace: .gentle, progress: progress)
    }

    public func problems() throws(DatabaseError) -> [String] {
        try look()
        return try DatabaseCheck.problems(in: path)
    }

    public func compact(
        isAlone: Bool, progress: (_ done: Int, _ total: Int) -> Void
    ) throws(DatabaseError) -> (before: Int64, after: Int64) {
        let (before, mode, free) = try file.use { database throws(DatabaseError) in
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
        return try file.use { database throws(DatabaseError) in
            do throws(DatabaseError) {
                try database.writeLogIntoFile(emptyingIt: true)
            } catch  where error.isBusy {
                // Somebody reads. What is free goes from the file when the log is next written into it.
            }
            return (before, try Self.size(database))
        }
    }

    private func compactInPieces(_ total: Int, _ progress: (_ done: Int, _ total: Int) -> Void) throws(DatabaseError) {
        var left = Int64(total)
        while left > 0 {
            let start = ContinuousClock.now
            let now = try file.use { database throws(DatabaseError) in
                try database.execute("PRAGMA incremental_vacuum(\(Self.pagesAtOnce))")
                return try database.number("PRAGMA freelist_count")
            }
            progress(max(0, total - Int(now)), total)
            guard now < left else { return }
            left = now
            // Whoever waits for the database has it now, for as long.
            Thread.sleep(forTimeInterval: (ContinuousClock.now - start) / .seconds(1))
        }
    }

    private func compactAtOnce(_ size: Int64, isAlone: Bool) throws(DatabaseError) {
        guard isAlone || size <= Self.bytesAtOnce else {
            throw DatabaseError(
                code: SQLITE_BUSY, path: path, operation: "compact",
                detail: "an earlier version made it, and the first time takes it from the service for a while: "
                    + "stop the host, then vacuum")
        }
        // From then on it can be given back a few pages at a time.
        try file.use { database throws(DatabaseError) in try database.execute("VACUUM") }
    }

    public func ages(before time: Date) throws(DatabaseError) -> QuizAges {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT count(*), total(received_at < ?1), max(received_at) FROM quizzes")
            try statement.bind(time.milliseconds, at: 1)
            defer { statement.reset() }
            guard try statement.step() else { return QuizAges(total: 0, older: 0, newest: nil) }
            return QuizAges(
                total: Int(statement.integer(0)), older: Int(statement.integer(1)),
                newest: statement.isNull(2) ? nil : Date(milliseconds: statement.integer(2)))
        }
    }

    private static func size(_ database: Database) throws(DatabaseError) -> Int64 {
        try database.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    }

    /// Puts a backup into a database's place. Nobody may use the database meanwhile; if somebody does, nothing is changed.
    ///
    /// - Returns: Where the former database lies now; nil if there was none.
    package static func restore(_ source: String, to target: String, at time: Date) throws(DatabaseError) -> String? {
        try DatabaseRestore.restore(source, to: target, schema: QuizSchema.schema, at: time)
    }
}
