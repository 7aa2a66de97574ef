import Storage

/// The table of a companion's outbox.
enum OutboxSchema {
    /// Returns the schema.
    ///
    /// - Parameter keepsFiles: True if payloads may have files.
    static func schema(keepsFiles: Bool) -> DatabaseSchema {
        DatabaseSchema(
            migrations: migrations, lastSequence: "SELECT \(last) FROM last_dropped",
            adjust: keepsFiles ? addFiles : nil)
    }

    /// Adds the table of the files that open entries have, if it is not there. The files are beside the database.
    @Sendable private static func addFiles(_ database: Database) throws(DatabaseError) -> String? {
        let isThere = try database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'outbox_files'") > 0
        guard !isThere else { return nil }
        try database.transaction { () throws(DatabaseError) in try database.execute(files) }
        return "added: files"
    }

    /// SQL for the table of files: part of released versions, so it must not be edited.
    private static let files = """
        CREATE TABLE outbox_files (
            identifier BLOB PRIMARY KEY,
            digest BLOB NOT NULL
        ) STRICT;
        CREATE TRIGGER outbox_file_delivered AFTER UPDATE OF state ON outbox WHEN new.state = 'replied' BEGIN
            DELETE FROM outbox_files WHERE identifier = new.identifier;
        END;
        CREATE TRIGGER outbox_file_dropped AFTER DELETE ON outbox BEGIN
            DELETE FROM outbox_files WHERE identifier = old.identifier;
        END;
        """

    /// SQL for the highest position that an entry ever had, in `last_dropped`.
    private static let last = "max(position, coalesce((SELECT max(position) FROM outbox), 0))"
    /// SQL for the position of the next entry.
    static let nextPosition = "(SELECT \(last) + 1 FROM last_dropped)"

    static let migrations = Migrations(steps, latest: [table, index, dropped].joined(separator: "\n"))

    private static let steps = [
        """
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            archive BLOB NOT NULL,
            state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'replied', 'failed')),
            reason TEXT,
            accepted_at INTEGER NOT NULL,
            settled_at INTEGER
        ) STRICT;
        CREATE INDEX outbox_state ON outbox (state, position);
        """,
        // Without AUTOINCREMENT, which writes an additional page in each transaction: positions only order the present
        // entries. The index of states omits replied entries, which are never looked up by state.
        """
        ALTER TABLE outbox RENAME TO former_outbox;
        DROP INDEX outbox_state;
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            archive BLOB NOT NULL,
            state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'replied', 'failed')),
            reason TEXT,
            accepted_at INTEGER NOT NULL,
            settled_at INTEGER
        ) STRICT;
        INSERT INTO outbox SELECT * FROM former_outbox ORDER BY position;
        DROP TABLE former_outbox;
        CREATE INDEX outbox_open ON outbox (state, position) WHERE state <> 'replied';
        """,
        // Identifiers as 16 bytes: every payload is written to a random page of their index, which now has half the pages.
        """
        ALTER TABLE outbox RENAME TO former_outbox;
        DROP INDEX outbox_open;
        \(table)
        INSERT OR IGNORE INTO outbox
            SELECT position, uuid_bytes(identifier), archive, state, reason, accepted_at, settled_at
            FROM former_outbox ORDER BY position;
        DROP TABLE former_outbox;
        \(index)
        """,
        // Positions are never reused, even if the last entry is dropped: this distinguishes older copies from drops.
        dropped,
    ]

    // Parts of released versions, so they must not be edited.

    private static let table = """
        CREATE TABLE outbox (
            position INTEGER PRIMARY KEY,
            identifier BLOB NOT NULL UNIQUE,
            archive BLOB NOT NULL,
            state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'replied', 'failed')),
            reason TEXT,
            accepted_at INTEGER NOT NULL,
            settled_at INTEGER
        ) STRICT;
        """

    private static let index = """
        CREATE INDEX outbox_open ON outbox (state, position) WHERE state <> 'replied';
        """

    /// SQL for the number of the last entry that was dropped.
    private static let dropped = """
        CREATE TABLE last_dropped (position INTEGER NOT NULL) STRICT;
        INSERT INTO last_dropped VALUES (0);
        CREATE TRIGGER outbox_dropped AFTER DELETE ON outbox
        WHEN old.position > (SELECT coalesce(max(position), 0) FROM outbox) BEGIN
            UPDATE last_dropped SET position = max(position, old.position);
        END;
        """
}
