/// SQLite's integrity check of a whole database file.
package enum DatabaseCheck {
    /// Returns the problems found in a file; empty if it is sound.
    package static func problems(in path: String) throws(DatabaseError) -> [String] {
        let database = try Database(path: path, migrations: nil, access: .reading)
        let statement = try database.statement("PRAGMA integrity_check")
        defer { statement.reset() }
        var problems: [String] = []
        while try statement.step() { problems.append(statement.text(0)) }
        return problems == ["ok"] ? [] : problems
    }
}
