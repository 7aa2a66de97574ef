import Locking

/// A database file that may be used from any thread, one use at a time, and that is opened again after trouble.
final class DatabaseFile: Sendable {
    private let path: String
    private let migrations: [String]
    private let connection = Mutex<Database?>(nil)

    init(path: String, migrations: [String]) {
        self.path = path
        self.migrations = migrations
    }

    /// Uses the database; blocks until earlier uses are done.
    func use<Result: Sendable>(
        _ body: @Sendable (Database) throws(DatabaseError) -> Result
    ) throws(DatabaseError) -> Result {
        try connection.withLock { database throws(DatabaseError) in
            do throws(DatabaseError) {
                if let open = database { return try body(open) }
                let opened = try Database(path: path, migrations: migrations)
                database = opened
                return try body(opened)
            } catch {
                if error.needsReopening { database = nil }
                throw error
            }
        }
    }
}
