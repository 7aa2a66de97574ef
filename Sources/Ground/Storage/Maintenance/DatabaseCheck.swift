import CSQLite

/// SQLite's integrity check of a whole database file.
package enum DatabaseCheck {
    /// The steps of SQLite between two reports. 10,000: about a millisecond, so that a report costs nothing measurable.
    private static let stepsAtOnce: Int32 = 10_000

    /// The parts of a report, where SQLite finds them.
    private struct Watch {
        let database: Database
        let pages: Int
        let progress: (_ done: Int, _ total: Int) -> Void
    }

    /// Returns the problems found in a file; empty if it is sound.
    ///
    /// - Parameter progress: Called with the pages read and all pages while the check goes on. A page that is read again counts once more, up to the number of all
    ///   pages: the end may take longer than the reports let expect.
    package static func problems(
        in path: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) throws(DatabaseError) -> [String] {
        let database = try Database(path: path, migrations: nil, access: .reading)
        let pages = Int(try database.number("PRAGMA page_count"))
        let statement = try database.statement("PRAGMA integrity_check")
        defer { statement.reset() }
        return try withoutActuallyEscaping(progress) { progress throws(DatabaseError) in
            var watch = Watch(database: database, pages: pages, progress: progress)
            return try withUnsafeMutablePointer(to: &watch) { watch throws(DatabaseError) in
                sqlite3_progress_handler(database.handle, stepsAtOnce, { DatabaseCheck.report($0) }, watch)
                // SQLite must not call what is no longer there.
                defer { sqlite3_progress_handler(database.handle, 0, nil, nil) }
                var problems: [String] = []
                while try statement.step() { problems.append(statement.text(0)) }
                return problems == ["ok"] ? [] : problems
            }
        }
    }

    /// Reports the progress. Returns 0, so that SQLite goes on.
    private static func report(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let watch = context?.assumingMemoryBound(to: Watch.self).pointee else { return 0 }
        var (read, highest) = (Int32(0), Int32(0))
        sqlite3_db_status(watch.database.handle, SQLITE_DBSTATUS_CACHE_MISS, &read, &highest, 0)
        watch.progress(min(Int(read), watch.pages), watch.pages)
        return 0
    }
}
