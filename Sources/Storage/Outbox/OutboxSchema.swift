/// The table of a companion's outbox.
enum OutboxSchema {
    static let migrations = [
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
        // Without AUTOINCREMENT, which writes a page of its own in each transaction: positions order what is there. What was
        // replied to is in the index of states no more, as nobody looks for it.
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
    ]
}
