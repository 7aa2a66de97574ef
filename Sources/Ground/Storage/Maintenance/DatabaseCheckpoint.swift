import CSQLite

/// Writing a database's log into its file through a connection of its own, so that no user of another one waits.
package final class DatabaseCheckpoint {
    private let database: Database

    /// Opens the connection to a database that exists.
    package init(of path: String) throws(DatabaseError) {
        database = try Database(path: path, migrations: nil, access: .asItIs)
        // Only a connection that has read knows of the log: without this, a checkpoint does nothing.
        _ = try database.number("SELECT count(*) FROM sqlite_schema")
    }

    /// Writes what no reader of an older state needs; the next writer then begins the log anew.
    package func run() throws(DatabaseError) {
        let code = sqlite3_wal_checkpoint_v2(database.handle, "main", SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        // While another connection does the same, there is nothing to do here.
        guard code == SQLITE_OK || code & 0xFF == SQLITE_BUSY else {
            throw Database.error(database.handle, path: database.path, operation: "write the log into")
        }
    }
}
