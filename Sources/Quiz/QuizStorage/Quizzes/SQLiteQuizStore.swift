public import EventLog
public import Foundation
import Locking
public import Storage

/// A host's quizzes in one SQLite file.
public final class SQLiteQuizStore: QuizStore {
    let path: String
    let file: DatabaseFile
    /// The state after the last insertion, so that the next one need not query it.
    private let known = Mutex<Known?>(nil)

    /// Creates a store. The file is opened on first use, and again after failures.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - logger: Logs failures of the file once, recoveries and repairs.
    public init(path: String, logger: Logger = .silent) {
        self.path = path
        file = DatabaseFile(path: path, schema: QuizSchema.schema, logger: logger)
    }

    /// Stores quizzes in one transaction.
    public func insert(_ arrivals: [QuizArrival]) throws(DatabaseError) -> [InsertOutcome] {
        try file.use { database throws(DatabaseError) in
            let (place, outcomes) = try database.transaction { () throws(DatabaseError) in
                var place = if let known = knownPlace(in: database) { known } else { try Place(database) }
                var outcomes: [InsertOutcome] = []
                outcomes.reserveCapacity(arrivals.count)
                for arrival in arrivals { outcomes.append(try Self.insert(arrival, &place, database)) }
                return (place, outcomes)
            }
            known.withLock { $0 = database.contentVersion.map { Known(version: $0, place: place) } }
            return outcomes
        }
    }

    /// Returns the archive of a quiz as received.
    public func receivedArchive(_ identifier: UUID, device: UUID) throws(DatabaseError) -> Data? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT coalesce(received_archive, archive) FROM quizzes WHERE \(Self.isIt)")
            try statement.bind(identifier, at: 1)
            try statement.bind(device, at: 2)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Replaces the content of a quiz, and keeps the archive as received.
    public func update(_ quiz: NewQuiz, updatedAt: Date) throws(DatabaseError) -> Bool {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                UPDATE quizzes SET title = ?3, taken_at = ?4, answer_count = ?5, grade_point_average = ?6,
                    received_archive = coalesce(received_archive, archive), archive = ?7, updated_at = ?8
                WHERE \(Self.isIt)
                """)
            try statement.bind(quiz.identifier, at: 1)
            try statement.bind(quiz.device, at: 2)
            try Self.bind(quiz, updatedAt, to: statement)
            try statement.run()
            return database.changes == 1
        }
    }

    /// Deletes a quiz, and records the deletion.
    public func delete(_ identifier: UUID, device: UUID, deletedAt: Date) throws(DatabaseError) -> Bool {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                let delete = try database.statement("DELETE FROM quizzes WHERE \(Self.isIt)")
                try delete.bind(identifier, at: 1)
                try delete.bind(device, at: 2)
                try delete.run()
                guard database.changes == 1 else { return false }
                let remember = try database.statement(
                    "INSERT OR REPLACE INTO deleted_quizzes SELECT ?1, number, ?3 FROM devices WHERE identifier = ?2")
                try remember.bind(identifier, at: 1)
                try remember.bind(device, at: 2)
                try remember.bind(deletedAt.milliseconds, at: 3)
                try remember.run()
                return true
            }
        }
    }

    /// Deletes the oldest quizzes without a record.
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
                    RETURNING identifier, \(Self.device)
                    """)
                try statement.bind(time?.milliseconds ?? .min, at: 1)
                try statement.bind(count.map(Int64.init) ?? .max, at: 2)
                try statement.bind(Int64(limit), at: 3)
                defer { statement.reset() }
                var expired: [(UUID, UUID)] = []
                while try statement.step() {
                    if let identifier = statement.identifier(0),
                        let device = statement.identifier(1)
                    {
                        expired.append((identifier, device))
                    }
                }
                return expired
            }
        }
    }

    /// Returns the quizzes with an identifier.
    public func quizzes(identifier: UUID) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) WHERE identifier = ?1 ORDER BY sequence")
            try statement.bind(identifier, at: 1)
            return try Self.rows(statement)
        }
    }

    /// Returns a page of quizzes in the order of arrival, of up to 1 MiB of archives.
    public func quizzes(after sequence: Int64, limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.columns) WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
            try statement.bind(sequence, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try Self.rows(statement, maximumBytes: Self.pageBytes)
        }
    }

    /// Returns the latest quizzes, the newest first.
    public func latestQuizzes(limit: Int) throws(DatabaseError) -> [StoredQuiz] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) ORDER BY sequence DESC LIMIT ?1")
            try statement.bind(Int64(limit), at: 1)
            return try Self.rows(statement)
        }
    }

    /// Returns the number of quizzes.
    public func count() throws(DatabaseError) -> Int {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT count(*) FROM quizzes")
            defer { statement.reset() }
            return try statement.step() ? Int(statement.integer(0)) : 0
        }
    }

    // MARK: - Rows

    /// The position after the last insertion, and the version of the content then.
    private struct Known {
        let version: ContentVersion
        let place: Place
    }

    /// Returns the known position; nil if anything was changed since the last insertion.
    private func knownPlace(in database: Database) -> Place? {
        let version = database.contentVersion
        return known.withLock { $0?.version == version ? $0?.place : nil }
    }

    /// The position at which a transaction inserts its quizzes.
    private struct Place {
        /// The highest sequence number ever used. None is reused: a reader that continues after one must not miss a
        /// quiz.
        var lastSequence: Int64
        let areSomeDeleted: Bool
        /// The cached numbers of devices.
        private var devices: [UUID: Int64] = [:]
        /// The number of cached devices: 1,000 take 40 KB.
        private static let keptDevices = 1_000

        init(_ database: Database) throws(DatabaseError) {
            let statement = try database.statement(
                """
                SELECT max((SELECT coalesce(max(sequence), 0) FROM quizzes), sequence),
                    EXISTS (SELECT 1 FROM deleted_quizzes) FROM last_deleted
                """)
            defer { statement.reset() }
            _ = try statement.step()
            lastSequence = statement.integer(0)
            areSomeDeleted = statement.integer(1) == 1
        }

        /// Returns the number of a device, and assigns one to a new device.
        mutating func number(of device: UUID, _ database: Database) throws(DatabaseError) -> Int64 {
            if let number = devices[device] { return number }
            let find = try database.statement("SELECT number FROM devices WHERE identifier = ?1")
            try find.bind(device, at: 1)
            defer { find.reset() }
            let number = try find.step() ? find.integer(0) : Self.add(device, database)
            if devices.count == Self.keptDevices { devices.removeAll() }
            devices[device] = number
            return number
        }

        private static func add(_ device: UUID, _ database: Database) throws(DatabaseError) -> Int64 {
            let add = try database.statement("INSERT INTO devices (identifier) VALUES (?1)")
            try add.bind(device, at: 1)
            try add.run()
            return database.lastInsertedRow
        }
    }

    private static func insert(
        _ arrival: QuizArrival, _ place: inout Place, _ database: Database
    ) throws(DatabaseError) -> InsertOutcome {
        let quiz = arrival.quiz
        let device = try place.number(of: quiz.device, database)
        if place.areSomeDeleted, try isDeleted(quiz, device, database) { return .repeated }
        let insert = try database.statement(
            """
            INSERT INTO quizzes
                (identifier, device, title, taken_at, answer_count, grade_point_average, archive, received_at, sequence)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT (identifier, device) DO NOTHING
            """)
        try insert.bind(quiz.identifier, at: 1)
        try insert.bind(device, at: 2)
        try bind(quiz, arrival.receivedAt, to: insert)
        try insert.bind(place.lastSequence + 1, at: 9)
        try insert.run()
        if database.changes == 1 {
            place.lastSequence += 1
            return .stored(sequence: place.lastSequence)
        }
        let compare = try database.statement(
            "SELECT coalesce(received_archive, archive) = ?3 FROM quizzes WHERE identifier = ?1 AND device = ?2")
        try compare.bind(quiz.identifier, at: 1)
        try compare.bind(device, at: 2)
        try compare.bind(quiz.archive, at: 3)
        defer { compare.reset() }
        return try compare.step() && compare.integer(0) == 1 ? .repeated : .conflict
    }

    /// Returns true if a quiz was deleted: a late duplicate must not restore it.
    private static func isDeleted(
        _ quiz: NewQuiz, _ device: Int64, _ database: Database
    ) throws(DatabaseError) -> Bool {
        let statement = try database.statement("SELECT 1 FROM deleted_quizzes WHERE identifier = ?1 AND device = ?2")
        try statement.bind(quiz.identifier, at: 1)
        try statement.bind(device, at: 2)
        defer { statement.reset() }
        return try statement.step()
    }

    /// Binds the content, from the third parameter on.
    private static func bind(_ quiz: NewQuiz, _ time: Date, to statement: Statement) throws(DatabaseError) {
        try statement.bind(quiz.title, at: 3)
        try statement.bind(quiz.takenAt.milliseconds, at: 4)
        try statement.bind(Int64(quiz.answerCount), at: 5)
        try statement.bind(quiz.gradePointAverage, at: 6)
        try statement.bind(quiz.archive, at: 7)
        try statement.bind(time.milliseconds, at: 8)
    }

    /// The condition for the quiz of an identifier and a device, the first two parameters.
    private static let isIt = "identifier = ?1 AND device = (SELECT number FROM devices WHERE identifier = ?2)"
    private static let device = "(SELECT identifier FROM devices WHERE number = device)"
    private static let columns = """
        sequence, identifier, \(device), title, taken_at, answer_count, grade_point_average, archive, received_at, updated_at
        FROM quizzes
        """

    /// The size of the archives after which a page ends. 1 MiB: a page of the largest quizzes takes no more than one of
    /// many small ones.
    private static let pageBytes = 1_024 * 1_024

    private static func rows(
        _ statement: Statement, maximumBytes: Int = .max
    ) throws(DatabaseError) -> [StoredQuiz] {
        defer { statement.reset() }
        var rows: [StoredQuiz] = []
        var bytes = 0
        while bytes < maximumBytes, try statement.step() {
            // Rows written with other tools may contain anything; invalid rows are skipped.
            guard let identifier = statement.identifier(1), let device = statement.identifier(2) else { continue }
            let content = NewQuiz(
                identifier: identifier, device: device, title: statement.text(3),
                takenAt: Date(milliseconds: statement.integer(4)), answerCount: Int(statement.integer(5)),
                gradePointAverage: statement.real(6), archive: statement.blob(7))
            rows.append(
                StoredQuiz(
                    sequence: statement.integer(0), content: content,
                    receivedAt: Date(milliseconds: statement.integer(8)),
                    updatedAt: statement.isNull(9) ? nil : Date(milliseconds: statement.integer(9))))
            bytes += content.archive.count
        }
        return rows
    }
}
