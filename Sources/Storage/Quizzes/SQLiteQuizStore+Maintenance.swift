import Foundation

extension SQLiteQuizStore: QuizStoreMaintenance {
    public func close() { file.close() }

    public func backUp(to path: String) throws(DatabaseError) -> Int64 {
        try DatabaseBackup.copy(self.path, to: path)
    }

    public func problems() throws(DatabaseError) -> [String] {
        try DatabaseCheck.problems(in: path)
    }

    public func compact() throws(DatabaseError) -> (before: Int64, after: Int64) {
        try file.use { database throws(DatabaseError) in
            let before = try Self.size(database)
            try database.execute("VACUUM")
            try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return (before, try Self.size(database))
        }
    }

    private static func size(_ database: Database) throws(DatabaseError) -> Int64 {
        let statement = try database.statement("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }
}
