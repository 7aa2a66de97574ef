public import Foundation

/// A host's quizzes in one SQLite file.
public final class SQLiteQuizStore: QuizStore {
    /// The schema's versions. Times are whole milliseconds since 1970 in UTC; the view shows them as text.
    private static let migrations = [
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
        """
    ]

    let path: String
    let file: DatabaseFile

    /// The file is opened at the first use, and again after trouble.
    public init(path: String) {
        self.path = path
        file = DatabaseFile(path: path, migrations: Self.migrations)
    }

    public func insert(_ quizzes: [NewQuiz], receivedAt: Date) throws(DatabaseError) -> [InsertOutcome] {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var outcomes: [InsertOutcome] = []
                outcomes.reserveCapacity(quizzes.count)
                for quiz in quizzes { outcomes.append(try Self.insert(quiz, receivedAt, database)) }
                return outcomes
            }
        }
    }

    public func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT coalesce(received_archive, archive) FROM quizzes WHERE identifier = ?1 AND device = ?2")
            try statement.bind(identifier, at: 1)
            try statement.bind(device, at: 2)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    public func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                UPDATE quizzes SET title = ?3, taken_at = ?4, answer_count = ?5, grade_point_average = ?6,
                    received_archive = coalesce(received_archive, archive), archive = ?7, updated_at = ?8
                WHERE identifier = ?1 AND device = ?2
                """)
            try Self.bind(quiz, updatedAt, to: statement)
            try statement.run()
            return database.changes == 1
        }
    }

    public func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let delete = try database.statement("DELETE FROM quizzes WHERE identifier = ?1 AND device = ?2")
                try delete.bind(identifier, at: 1)
                try delete.bind(device, at: 2)
                try delete.run()
                guard database.changes == 1 else { return false }
                let remember = try database.statement("INSERT OR REPLACE INTO deleted_quizzes VALUES (?1, ?2, ?3)")
                try remember.bind(identifier, at: 1)
                try remember.bind(device, at: 2)
                try remember.bind(deletedAt.milliseconds, at: 3)
                try remember.run()
                return true
            }
        }
    }

    public func expire(
        receivedBefore time: Date?, keeping count: Int?, limit: Int
    ) throws(DatabaseError) -> [(identifier: UUID, device: UUID)] {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let statement = try database.statement(
                    """
                    DELETE FROM quizzes WHERE sequence IN (
                        SELECT sequence FROM quizzes
                        WHERE received_at < ?1
                            OR sequence <= (SELECT sequence FROM quizzes ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
                        ORDER BY sequence LIMIT ?3)
                    RETURNING identifier, device
                    """)
                try statement.bind(time?.milliseconds ?? .min, at: 1)
                try statement.bind(count.map(Int64.init) ?? .max, at: 2)
                try statement.bind(Int64(limit), at: 3)
                defer { statement.reset() }
                var expired: [(UUID, UUID)] = []
                while try statement.step() {
                    if let identifier = UUID(uuidString: statement.text(0)),
                        let device = UUID(uuidString: statement.text(1))
                    {
                        expired.append((identifier, device))
                    }
                }
                return expired
            }
        }
    }

    public func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) WHERE identifier = ?1 ORDER BY sequence")
            try statement.bind(identifier, at: 1)
            return try Self.rows(statement)
        }
    }

    public func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.columns) WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
            try statement.bind(sequence, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try Self.rows(statement)
        }
    }

    public func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) ORDER BY sequence DESC LIMIT ?1")
            try statement.bind(Int64(limit), at: 1)
            return try Self.rows(statement)
        }
    }

    public func count() throws(DatabaseError) -> Int {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT count(*) FROM quizzes")
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    // MARK: - Rows

    private static func insert(
        _ quiz: NewQuiz, _ receivedAt: Date, _ database: Database
    ) throws(DatabaseError) -> InsertOutcome {
        let insert = try database.statement(
            """
            INSERT INTO quizzes
                (identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
            WHERE NOT EXISTS (SELECT 1 FROM deleted_quizzes WHERE identifier = ?1 AND device = ?2)
            ON CONFLICT (identifier, device) DO NOTHING
            """)
        try bind(quiz, receivedAt, to: insert)
        try insert.run()
        if database.changes == 1 { return .stored(sequence: database.lastInsertedRow) }

        let compare = try database.statement(
            "SELECT coalesce(received_archive, archive) = ?3 FROM quizzes WHERE identifier = ?1 AND device = ?2")
        try compare.bind(quiz.identifier, at: 1)
        try compare.bind(quiz.device, at: 2)
        try compare.bind(quiz.archive, at: 3)
        defer { compare.reset() }
        // No row: it was deleted.
        guard try compare.step() else { return .repeated }
        return compare.integer(0) == 1 ? .repeated : .conflict
    }

    private static func bind(_ quiz: NewQuiz, _ time: Date, to statement: Statement) throws(DatabaseError) {
        try statement.bind(quiz.identifier, at: 1)
        try statement.bind(quiz.device, at: 2)
        try statement.bind(quiz.title, at: 3)
        try statement.bind(quiz.takenAt.milliseconds, at: 4)
        try statement.bind(Int64(quiz.answerCount), at: 5)
        try statement.bind(quiz.gradePointAverage, at: 6)
        try statement.bind(quiz.archive, at: 7)
        try statement.bind(time.milliseconds, at: 8)
    }

    private static let columns = """
        sequence, identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at, updated_at
        FROM quizzes
        """

    private static func rows(_ statement: Statement) throws(DatabaseError) -> [StoredQuiz] {
        defer { statement.reset() }
        var rows: [StoredQuiz] = []
        while try statement.step() {
            // Rows that a person wrote with other tools may hold anything; what is no quiz is passed over.
            guard let identifier = UUID(uuidString: statement.text(1)), let device = UUID(uuidString: statement.text(2))
            else { continue }
            let content = NewQuiz(
                identifier: identifier, device: device, title: statement.text(3),
                takenAt: Date(milliseconds: statement.integer(4)), answerCount: Int(statement.integer(5)),
                gradePointAverage: statement.real(6), archive: statement.blob(7))
            rows.append(
                StoredQuiz(
                    sequence: statement.integer(0), content: content,
                    receivedAt: Date(milliseconds: statement.integer(8)),
                    updatedAt: statement.isNull(9) ? nil : Date(milliseconds: statement.integer(9))))
        }
        return rows
    }
}
