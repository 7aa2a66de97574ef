import Storage

/// The tables of the files that belong to a kind's records, in the same database: a file and its record are durable
/// together, and a backup has both.
struct RecordFileTables: Sendable {
    /// The column of a record with the digest of its file. No column of an application begins with an underscore.
    static let column = "_file"

    private let kind: RecordKind

    init(_ kind: RecordKind) { self.kind = kind }

    /// Adds the tables to a database that has none, if records of the kind may have files.
    ///
    /// - Returns: A description of the change; nil if there was none.
    func apply(to database: Database) throws(DatabaseError) -> String? {
        guard kind.keepsFiles, try !isThere(database) else { return nil }
        try database.transaction { () throws(DatabaseError) in try database.execute(tables) }
        return "added: files"
    }

    private func isThere(_ database: Database) throws(DatabaseError) -> Bool {
        try database.number(
            "SELECT count(*) FROM pragma_table_info('\(kind.plural)') WHERE name = '\(Self.column)'") > 0
    }

    /// SQL for the tables: part of released versions, so it must not be edited.
    private var tables: String {
        let (table, files, contents) = ("[\(kind.plural)]", "[files_\(kind.plural)]", "[contents_\(kind.plural)]")
        return """
            CREATE TABLE \(files) (
                digest BLOB PRIMARY KEY,
                bytes INTEGER NOT NULL,
                kept_at INTEGER NOT NULL,
                is_claimed INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX [unclaimed_files_\(kind.plural)] ON \(files) (kept_at) WHERE is_claimed = 0;
            -- In a table of its own: a change of the row beside it would write the whole content again.
            CREATE TABLE \(contents) (
                digest BLOB PRIMARY KEY REFERENCES \(files) ON DELETE CASCADE,
                content BLOB NOT NULL
            ) STRICT;
            ALTER TABLE \(table) ADD COLUMN \(Self.column) BLOB REFERENCES \(files) (digest);
            CREATE INDEX [records_with_files_\(kind.plural)] ON \(table) (\(Self.column))
                WHERE \(Self.column) IS NOT NULL;
            CREATE TRIGGER [\(kind.name)_file_claimed] AFTER INSERT ON \(table) WHEN new.\(Self.column) IS NOT NULL BEGIN
                UPDATE \(files) SET is_claimed = 1 WHERE digest = new.\(Self.column) AND is_claimed = 0;
            END;
            -- Several records may have the same file: it goes with the last one.
            CREATE TRIGGER [\(kind.name)_file_deleted] AFTER DELETE ON \(table) WHEN old.\(Self.column) IS NOT NULL BEGIN
                DELETE FROM \(files) WHERE digest = old.\(Self.column)
                    AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(Self.column) = old.\(Self.column));
            END;
            """
    }
}
