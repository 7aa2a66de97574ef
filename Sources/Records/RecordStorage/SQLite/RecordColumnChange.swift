import CSQLite
import CrashPoints
import Foundation
import Storage

/// The change of a kind's columns after a release: they are derived from the archives, so they can be made anew.
struct RecordColumnChange: Sendable {
    /// The records read at once. 100: six megabytes of the largest archives.
    private static let rowsAtOnce: Int64 = 100

    let kind: RecordKind
    /// Returns the values of the columns for an archive; nil if it cannot be read.
    let values: (@Sendable (Data) -> [RecordValue]?)?

    /// Brings the columns of the table to those of the kind, in one transaction.
    ///
    /// - Returns: A description of the change; nil if there was none.
    /// - Throws: A ``DatabaseError`` if the columns differ and nothing can tell their values.
    func apply(to database: Database) throws(DatabaseError) -> String? {
        let wanted = Dictionary(uniqueKeysWithValues: kind.columns.map { ($0.name, RecordSchema.type($0)) })
        let present = try columns(of: database)
        let shown = try text("SELECT sql FROM sqlite_schema WHERE name = 'readable_\(kind.plural)'", database)
        // Times and integers are the same in the table, and differ in the view.
        let retyped = kind.columns.filter { column in
            present[column.name] != nil
                && (present[column.name] != RecordSchema.type(column)
                    || shown.contains(RecordSchema.time(of: column, kind)) != (column.type == .date))
        }.map(\.name)
        let gone = present.keys.filter { wanted[$0] == nil }.sorted()
        let new = kind.columns.map(\.name).filter { present[$0] == nil }
        guard !(gone + new + retyped).isEmpty else { return nil }
        let parts = [("added", new), ("removed", gone), ("changed", retyped)].filter { !$0.1.isEmpty }
        let change = parts.map { "\($0.0): \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
        guard let values else {
            throw DatabaseError(
                code: SQLITE_MISMATCH, path: database.path, operation: "use",
                detail:
                    "its columns are not those of the \(kind.plural) (\(change)), and only the program of that application can change them"
            )
        }
        let unreadable = try database.transaction { () throws(DatabaseError) in
            try database.execute("DROP VIEW [readable_\(kind.plural)]")
            for name in gone + retyped { try database.execute("ALTER TABLE [\(kind.plural)] DROP COLUMN [\(name)]") }
            for column in kind.columns where (new + retyped).contains(column.name) {
                try database.execute(
                    "ALTER TABLE [\(kind.plural)] ADD COLUMN [\(column.name)] \(RecordSchema.type(column)) "
                        + "NOT NULL DEFAULT \(column.type == .text ? "''" : "0")")
            }
            try database.execute(RecordSchema.view(kind))
            let unreadable = try fill(database, values)
            CrashPoint.migrating.pass()
            return unreadable
        }
        return unreadable == 0
            ? change : "\(change); \(unreadable) archives cannot be read, their new columns are empty"
    }

    /// Returns the names and types of the columns that only this kind has.
    private func columns(of database: Database) throws(DatabaseError) -> [String: String] {
        let statement = try database.statement("SELECT name, type FROM pragma_table_info('\(kind.plural)')")
        defer { statement.reset() }
        var columns: [String: String] = [:]
        while try statement.step() {
            let name = statement.text(0)
            let isCommon = RecordKind.commonColumns.contains(name) || name == RecordFileTables.column
            if !isCommon { columns[name] = statement.text(1) }
        }
        return columns
    }

    private func text(_ sql: String, _ database: Database) throws(DatabaseError) -> String {
        let statement = try database.statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(0) : ""
    }

    /// Writes the columns of all records.
    ///
    /// - Returns: The number of archives that cannot be read.
    private func fill(
        _ database: Database, _ values: (Data) -> [RecordValue]?
    ) throws(DatabaseError) -> Int {
        guard !kind.columns.isEmpty else { return 0 }
        let columns = kind.columns.enumerated().map { "[\($1.name)] = ?\($0 + 2)" }.joined(separator: ", ")
        let page = "SELECT sequence, archive FROM [\(kind.plural)] WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
        let change = "UPDATE [\(kind.plural)] SET \(columns) WHERE sequence = ?1"
        var (last, unreadable) = (Int64.min, 0)
        while true {
            let rows = try self.rows(page, after: last, database)
            guard let end = rows.last?.sequence else { return unreadable }
            for row in rows {
                guard let own = values(row.archive), kind.hasTypes(of: own) else {
                    unreadable += 1
                    continue
                }
                let statement = try database.statement(change)
                try statement.bind(row.sequence, at: 1)
                for (place, value) in own.enumerated() { try statement.bind(value, at: Int32(place + 2)) }
                try statement.run()
            }
            last = end
        }
    }

    private func rows(
        _ sql: String, after last: Int64, _ database: Database
    ) throws(DatabaseError) -> [(sequence: Int64, archive: Data)] {
        let statement = try database.statement(sql)
        try statement.bind(last, at: 1)
        try statement.bind(Self.rowsAtOnce, at: 2)
        defer { statement.reset() }
        var rows: [(Int64, Data)] = []
        while try statement.step() { rows.append((statement.integer(0), statement.blob(1))) }
        return rows
    }
}

extension Statement {
    /// Binds the value of a column.
    func bind(_ value: RecordValue, at parameter: Int32) throws(DatabaseError) {
        switch value {
        case .text(let text): try bind(text, at: parameter)
        case .integer(let integer): try bind(integer, at: parameter)
        case .real(let real): try bind(real, at: parameter)
        case .date(let date): try bind(date.milliseconds, at: parameter)
        }
    }
}
