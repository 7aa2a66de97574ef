import Foundation
import Storage

/// The tables of a kind's records in SQLite.
///
/// Times are whole milliseconds since 1970 in UTC; the view shows them as text.
struct RecordSchema {
    let schema: DatabaseSchema

    /// - Parameter values: Returns the values of the columns for an archive; nil if nothing can.
    init(_ kind: RecordKind, values: (@Sendable (Data) -> [RecordValue]?)? = nil) {
        let change = RecordColumnChange(kind: kind, values: values)
        let files = RecordFileTables(kind)
        @Sendable func adjust(_ database: Database) throws(DatabaseError) -> String? {
            let changes = [try change.apply(to: database), try files.apply(to: database)].compactMap { $0 }
            return changes.isEmpty ? nil : changes.joined(separator: "; ")
        }
        schema = DatabaseSchema(
            migrations: kind.history ?? Migrations([Self.tables(kind)]),
            lastSequence:
                "SELECT max((SELECT coalesce(max(sequence), 0) FROM [\(kind.plural)]), sequence) FROM last_deleted",
            // A kind with a history changes its columns there.
            adjust: kind.history == nil ? adjust : nil)
    }

    /// Returns SQL for the first version of a new kind's tables: part of released versions, so it must not be edited.
    private static func tables(_ kind: RecordKind) -> String {
        let columns = kind.columns.map { "[\($0.name)] \(type($0)) NOT NULL," }
        return """
            CREATE TABLE last_deleted (sequence INTEGER NOT NULL) STRICT;
            INSERT INTO last_deleted VALUES (0);
            -- Each device's identifier only once: every record is written to a random page of their index.
            CREATE TABLE devices (
                number INTEGER PRIMARY KEY,
                identifier BLOB NOT NULL UNIQUE
            ) STRICT;
            CREATE TABLE [\(kind.plural)] (
                sequence INTEGER PRIMARY KEY,
                identifier BLOB NOT NULL,
                device INTEGER NOT NULL REFERENCES devices,
                \(columns.joined(separator: "\n    "))
                archive BLOB NOT NULL,
                -- The archive as it was received, kept when the record is changed here: a repeat is compared with it.
                received_archive BLOB,
                received_at INTEGER NOT NULL,
                updated_at INTEGER,
                UNIQUE (identifier, device)
            ) STRICT;
            -- What was deleted: a late repeat must not bring it back.
            CREATE TABLE [deleted_\(kind.plural)] (
                identifier BLOB NOT NULL,
                device INTEGER NOT NULL REFERENCES devices,
                deleted_at INTEGER NOT NULL,
                PRIMARY KEY (identifier, device)
            ) STRICT, WITHOUT ROWID;
            CREATE TRIGGER [\(kind.name)_deleted] AFTER DELETE ON [\(kind.plural)] BEGIN
                UPDATE last_deleted SET sequence = max(sequence, old.sequence);
            END;
            \(view(kind))
            """
    }

    static func view(_ kind: RecordKind) -> String {
        let columns = kind.columns.map { column in
            let own = "[\(kind.plural)].[\(column.name)]"
            return column.type == .date
                ? "\(time(of: column, kind)) AS [\(column.name)]," : "\(own) AS [\(column.name)],"
        }
        return """
            CREATE VIEW [readable_\(kind.plural)] AS
                SELECT sequence, \(text(of: "[\(kind.plural)].identifier")) AS identifier,
                    \(text(of: "devices.identifier")) AS device,
                    \(columns.joined(separator: "\n        "))
                    length(archive) AS archive_bytes, \(time("received_at")) AS received_at,
                    \(time("updated_at")) AS updated_at
                FROM [\(kind.plural)] JOIN devices ON devices.number = [\(kind.plural)].device ORDER BY sequence;
            """
    }

    static func type(_ column: RecordColumn) -> String {
        switch column.type {
        case .text: "TEXT"
        case .integer, .date: "INTEGER"
        case .real: "REAL"
        }
    }

    /// Returns SQL for a column of times, as the view shows it.
    static func time(of column: RecordColumn, _ kind: RecordKind) -> String {
        time("[\(kind.plural)].[\(column.name)]")
    }

    private static func time(_ column: String) -> String { "datetime(\(column) / 1000, 'unixepoch')" }

    /// Returns SQL for the text of an identifier's bytes: other programs that read the view have no function for it.
    private static func text(of column: String) -> String {
        [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0), \($1))" }
            .joined(separator: " || '-' || ")
    }
}
