package import Foundation
import Storage

/// The files of open entries. The database knows which file an entry has; their contents are beside it, where a session
/// can send them from.
extension OutboxStore {
    /// Returns the SHA-256 of an entry's file; nil if it has none, or if it was delivered.
    package func digest(ofFileOf identifier: UUID) throws(StoreError) -> Data? {
        guard files != nil else { return nil }
        return try file.serve { database throws(DatabaseError) in
            let statement = try database.statement("SELECT digest FROM outbox_files WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Removes the files that no open entry has: those of delivered ones, and those that were never accepted.
    ///
    /// Not while a file is being accepted: its entry follows.
    package func removeUnusedFiles() throws(StoreError) {
        guard let files else { return }
        let used = try file.serve { database throws(DatabaseError) in
            let statement = try database.statement("SELECT DISTINCT digest FROM outbox_files")
            defer { statement.reset() }
            var used: Set<Data> = []
            while try statement.step() { used.insert(statement.blob(0)) }
            return used
        }
        try files.removeAll(except: used)
    }

    static func remember(_ digest: Data, of identifier: UUID, _ database: Database) throws(DatabaseError) {
        let insert = try database.statement("INSERT OR REPLACE INTO outbox_files (identifier, digest) VALUES (?1, ?2)")
        try insert.bind(identifier, at: 1)
        try insert.bind(digest, at: 2)
        try insert.run()
    }
}
