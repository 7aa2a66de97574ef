import Storage

/// The versions of the tables of a host's quizzes in SQLite. Times are whole milliseconds since 1970 in UTC; the view
/// shows them as text.
enum QuizSchema {
    static let migrations = Migrations(steps, latest: [noneDeleted, tables, rules].joined(separator: "\n"))

    private static let steps = [
        """
        CREATE TABLE quizzes (
            sequence INTEGER PRIMARY KEY AUTOINCREMENT,
            identifier TEXT NOT NULL,
            device TEXT NOT NULL,
            title TEXT NOT NULL,
            taken_at INTEGER NOT NULL,
            answer_count INTEGER NOT NULL,
            grade_point_average REAL NOT NULL,
            archive BLOB NOT NULL,
            -- The archive as it was received, kept when the quiz is changed here: a repeat is compared with it.
            received_archive BLOB,
            received_at INTEGER NOT NULL,
            updated_at INTEGER,
            UNIQUE (identifier, device)
        ) STRICT;
        -- What was deleted: a late repeat must not bring it back.
        CREATE TABLE deleted_quizzes (
            identifier TEXT NOT NULL,
            device TEXT NOT NULL,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (identifier, device)
        ) STRICT, WITHOUT ROWID;
        CREATE VIEW readable_quizzes AS
            SELECT sequence, identifier, device, title, datetime(taken_at / 1000, 'unixepoch') AS taken_at, answer_count,
                round(grade_point_average, 2) AS grade_point_average, length(archive) AS archive_bytes,
                datetime(received_at / 1000, 'unixepoch') AS received_at,
                datetime(updated_at / 1000, 'unixepoch') AS updated_at
            FROM quizzes ORDER BY sequence;
        """,
        // The sequence without AUTOINCREMENT, which writes an additional page in each transaction. A trigger on
        // deletion replaces it.
        """
        CREATE TABLE last_deleted (sequence INTEGER NOT NULL) STRICT;
        INSERT INTO last_deleted SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'quizzes';
        DROP VIEW readable_quizzes;
        ALTER TABLE quizzes RENAME TO former_quizzes;
        CREATE TABLE quizzes (
            sequence INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL,
            device TEXT NOT NULL,
            title TEXT NOT NULL,
            taken_at INTEGER NOT NULL,
            answer_count INTEGER NOT NULL,
            grade_point_average REAL NOT NULL,
            archive BLOB NOT NULL,
            -- The archive as it was received, kept when the quiz is changed here: a repeat is compared with it.
            received_archive BLOB,
            received_at INTEGER NOT NULL,
            updated_at INTEGER,
            UNIQUE (identifier, device)
        ) STRICT;
        INSERT INTO quizzes SELECT * FROM former_quizzes ORDER BY sequence;
        DROP TABLE former_quizzes;
        CREATE TRIGGER quiz_deleted AFTER DELETE ON quizzes BEGIN
            UPDATE last_deleted SET sequence = max(sequence, old.sequence);
        END;
        CREATE VIEW readable_quizzes AS
            SELECT sequence, identifier, device, title, datetime(taken_at / 1000, 'unixepoch') AS taken_at, answer_count,
                round(grade_point_average, 2) AS grade_point_average, length(archive) AS archive_bytes,
                datetime(received_at / 1000, 'unixepoch') AS received_at,
                datetime(updated_at / 1000, 'unixepoch') AS updated_at
            FROM quizzes ORDER BY sequence;
        """,
        // Identifiers as 16 bytes, and each device's only once: every quiz is written to a random page of their index,
        // which now has a third of the pages.
        """
        DROP VIEW readable_quizzes;
        ALTER TABLE quizzes RENAME TO former_quizzes;
        ALTER TABLE deleted_quizzes RENAME TO former_deleted_quizzes;
        \(tables)
        INSERT OR IGNORE INTO devices (identifier)
            SELECT uuid_bytes(device) FROM (SELECT device FROM former_quizzes UNION SELECT device FROM former_deleted_quizzes);
        INSERT OR IGNORE INTO quizzes
            SELECT sequence, uuid_bytes(identifier), (SELECT number FROM devices WHERE identifier = uuid_bytes(device)),
                title, taken_at, answer_count, grade_point_average, archive, received_archive, received_at, updated_at
            FROM former_quizzes ORDER BY sequence;
        INSERT OR IGNORE INTO deleted_quizzes
            SELECT uuid_bytes(identifier), (SELECT number FROM devices WHERE identifier = uuid_bytes(device)), deleted_at
            FROM former_deleted_quizzes;
        DROP TABLE former_quizzes;
        DROP TABLE former_deleted_quizzes;
        \(rules)
        """,
    ]

    /// SQL for the table of the highest sequence number that was deleted, in an empty file.
    private static let noneDeleted = """
        CREATE TABLE last_deleted (sequence INTEGER NOT NULL) STRICT;
        INSERT INTO last_deleted VALUES (0);
        """

    /// SQL for the tables of the latest version. Part of a released version, so it must not be edited.
    private static let tables = """
        CREATE TABLE devices (
            number INTEGER PRIMARY KEY,
            identifier BLOB NOT NULL UNIQUE
        ) STRICT;
        CREATE TABLE quizzes (
            sequence INTEGER PRIMARY KEY,
            identifier BLOB NOT NULL,
            device INTEGER NOT NULL REFERENCES devices,
            title TEXT NOT NULL,
            taken_at INTEGER NOT NULL,
            answer_count INTEGER NOT NULL,
            grade_point_average REAL NOT NULL,
            archive BLOB NOT NULL,
            -- The archive as it was received, kept when the quiz is changed here: a repeat is compared with it.
            received_archive BLOB,
            received_at INTEGER NOT NULL,
            updated_at INTEGER,
            UNIQUE (identifier, device)
        ) STRICT;
        -- What was deleted: a late repeat must not bring it back.
        CREATE TABLE deleted_quizzes (
            identifier BLOB NOT NULL,
            device INTEGER NOT NULL REFERENCES devices,
            deleted_at INTEGER NOT NULL,
            PRIMARY KEY (identifier, device)
        ) STRICT, WITHOUT ROWID;
        """

    /// SQL for the trigger and the view of the latest version. Part of a released version, so it must not be edited.
    private static let rules = """
        CREATE TRIGGER quiz_deleted AFTER DELETE ON quizzes BEGIN
            UPDATE last_deleted SET sequence = max(sequence, old.sequence);
        END;
        CREATE VIEW readable_quizzes AS
            SELECT sequence, \(text(of: "quizzes.identifier")) AS identifier, \(text(of: "devices.identifier")) AS device,
                title, datetime(taken_at / 1000, 'unixepoch') AS taken_at, answer_count,
                round(grade_point_average, 2) AS grade_point_average, length(archive) AS archive_bytes,
                datetime(received_at / 1000, 'unixepoch') AS received_at,
                datetime(updated_at / 1000, 'unixepoch') AS updated_at
            FROM quizzes JOIN devices ON devices.number = quizzes.device ORDER BY sequence;
        """

    /// Returns SQL for the text of an identifier's bytes: other programs that read the view have no function for it.
    /// Part of a released version, so it must not be edited either.
    private static func text(of column: String) -> String {
        [(1, 8), (9, 4), (13, 4), (17, 4), (21, 12)].map { "substr(hex(\(column)), \($0), \($1))" }
            .joined(separator: " || '-' || ")
    }
}
