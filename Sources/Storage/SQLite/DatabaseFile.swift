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

    /// Closes the connection, which writes everything into the one file: whoever copies it then has all of it. The next use
    /// opens it again.
    func close() { connection.withLock { $0 = nil } }

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
