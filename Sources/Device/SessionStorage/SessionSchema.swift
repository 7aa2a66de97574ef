import Storage

/// The tables of a session's database.
enum SessionSchema {
    static let schema = DatabaseSchema(
        migrations: migrations, lastSequence: "SELECT coalesce(sum(seq), 0) FROM sqlite_sequence")

    static let migrations = Migrations(steps, latest: [tables, pairingCode].joined(separator: "\n"))

    private static let steps = [
        """
        CREATE TABLE outgoing (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL UNIQUE,
            peer TEXT NOT NULL,
            kind TEXT NOT NULL,
            payload BLOB,
            path TEXT,
            file_size INTEGER,
            file_modified INTEGER,
            file_inode INTEGER,
            queued_at INTEGER NOT NULL,
            is_over INTEGER NOT NULL DEFAULT 0,
            code INTEGER,
            reason TEXT
        ) STRICT;
        CREATE TABLE inbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL,
            peer TEXT NOT NULL,
            kind TEXT NOT NULL,
            payload BLOB,
            path TEXT,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE seen (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            peer TEXT NOT NULL,
            identifier TEXT NOT NULL,
            UNIQUE (peer, identifier)
        ) STRICT;
        CREATE INDEX seen_peer ON seen (peer, position);
        CREATE TABLE contexts (
            peer TEXT NOT NULL,
            direction TEXT NOT NULL CHECK (direction IN ('sent', 'received')),
            payload BLOB NOT NULL,
            PRIMARY KEY (peer, direction)
        ) STRICT;
        CREATE TABLE companions (
            identifier TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            is_paired INTEGER NOT NULL,
            is_app_installed INTEGER NOT NULL,
            has_complication INTEGER NOT NULL,
            is_active INTEGER NOT NULL,
            budget_day INTEGER NOT NULL,
            budget_used INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE ledger (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL,
            direction TEXT NOT NULL,
            kind TEXT NOT NULL,
            device TEXT,
            bytes INTEGER NOT NULL,
            state TEXT NOT NULL,
            cause TEXT,
            related TEXT,
            attempts INTEGER NOT NULL,
            queued_at INTEGER,
            sent_at INTEGER,
            received_at INTEGER,
            delivered_at INTEGER,
            ended_at INTEGER,
            change INTEGER NOT NULL,
            UNIQUE (identifier, direction)
        ) STRICT;
        CREATE INDEX ledger_change ON ledger (change);
        """,
        // At most one row.
        pairingCode,
        // A changed entry moves to the end, where the pages are cached.
        """
        ALTER TABLE ledger RENAME TO former_ledger;
        CREATE TABLE ledger (
            change INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL,
            direction TEXT NOT NULL,
            kind TEXT NOT NULL,
            device TEXT,
            bytes INTEGER NOT NULL,
            state TEXT NOT NULL,
            cause TEXT,
            related TEXT,
            attempts INTEGER NOT NULL,
            queued_at INTEGER,
            sent_at INTEGER,
            received_at INTEGER,
            delivered_at INTEGER,
            ended_at INTEGER,
            UNIQUE (identifier, direction)
        ) STRICT;
        INSERT INTO ledger SELECT change, identifier, direction, kind, device, bytes, state, cause, related, attempts,
            queued_at, sent_at, received_at, delivered_at, ended_at FROM former_ledger ORDER BY change;
        DROP TABLE former_ledger;
        """,
        // Identifiers as 16 bytes, as in the other databases.
        identifiersAsBytes,
    ]

    private static let identifiersAsBytes = """
        ALTER TABLE outgoing RENAME TO former_outgoing;
        ALTER TABLE inbox RENAME TO former_inbox;
        ALTER TABLE seen RENAME TO former_seen;
        DROP INDEX seen_peer;
        ALTER TABLE contexts RENAME TO former_contexts;
        ALTER TABLE companions RENAME TO former_companions;
        ALTER TABLE ledger RENAME TO former_ledger;
        \(tables)
        INSERT OR IGNORE INTO outgoing SELECT position, uuid_bytes(identifier), uuid_bytes(peer), kind, payload, path,
            file_size, file_modified, file_inode, queued_at, is_over, code, reason FROM former_outgoing ORDER BY position;
        INSERT OR IGNORE INTO inbox SELECT position, uuid_bytes(identifier), uuid_bytes(peer), kind, payload, path,
            received_at FROM former_inbox ORDER BY position;
        INSERT OR IGNORE INTO seen SELECT position, uuid_bytes(peer), uuid_bytes(identifier)
            FROM former_seen ORDER BY position;
        INSERT OR IGNORE INTO contexts SELECT uuid_bytes(peer), direction, payload FROM former_contexts;
        INSERT OR IGNORE INTO companions SELECT uuid_bytes(identifier), name, is_paired, is_app_installed,
            has_complication, is_active, budget_day, budget_used FROM former_companions;
        INSERT OR IGNORE INTO ledger SELECT change, uuid_bytes(identifier), direction, kind, uuid_bytes(device), bytes,
            state, cause, uuid_bytes(related), attempts, queued_at, sent_at, received_at, delivered_at, ended_at
            FROM former_ledger ORDER BY change;
        -- No position is used again.
        DELETE FROM sqlite_sequence WHERE name IN ('outgoing', 'inbox', 'seen');
        UPDATE sqlite_sequence SET name = substr(name, 8) WHERE name LIKE 'former_%';
        DROP TABLE former_outgoing;
        DROP TABLE former_inbox;
        DROP TABLE former_seen;
        DROP TABLE former_contexts;
        DROP TABLE former_companions;
        DROP TABLE former_ledger;
        """

    // Parts of released versions, so they must not be edited.

    private static let pairingCode =
        "CREATE TABLE pairing_code (hash TEXT NOT NULL, attempts_left INTEGER NOT NULL) STRICT"

    private static let tables = """
        CREATE TABLE outgoing (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier BLOB NOT NULL UNIQUE,
            peer BLOB NOT NULL,
            kind TEXT NOT NULL,
            payload BLOB,
            path TEXT,
            file_size INTEGER,
            file_modified INTEGER,
            file_inode INTEGER,
            queued_at INTEGER NOT NULL,
            is_over INTEGER NOT NULL DEFAULT 0,
            code INTEGER,
            reason TEXT
        ) STRICT;
        CREATE TABLE inbox (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier BLOB NOT NULL,
            peer BLOB NOT NULL,
            kind TEXT NOT NULL,
            payload BLOB,
            path TEXT,
            received_at INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE seen (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            peer BLOB NOT NULL,
            identifier BLOB NOT NULL,
            UNIQUE (peer, identifier)
        ) STRICT;
        CREATE INDEX seen_peer ON seen (peer, position);
        CREATE TABLE contexts (
            peer BLOB NOT NULL,
            direction TEXT NOT NULL CHECK (direction IN ('sent', 'received')),
            payload BLOB NOT NULL,
            PRIMARY KEY (peer, direction)
        ) STRICT;
        CREATE TABLE companions (
            identifier BLOB PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            is_paired INTEGER NOT NULL,
            is_app_installed INTEGER NOT NULL,
            has_complication INTEGER NOT NULL,
            is_active INTEGER NOT NULL,
            budget_day INTEGER NOT NULL,
            budget_used INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE ledger (
            change INTEGER PRIMARY KEY,
            identifier BLOB NOT NULL,
            direction TEXT NOT NULL,
            kind TEXT NOT NULL,
            device BLOB,
            bytes INTEGER NOT NULL,
            state TEXT NOT NULL,
            cause TEXT,
            related BLOB,
            attempts INTEGER NOT NULL,
            queued_at INTEGER,
            sent_at INTEGER,
            received_at INTEGER,
            delivered_at INTEGER,
            ended_at INTEGER,
            UNIQUE (identifier, direction)
        ) STRICT;
        """
}
