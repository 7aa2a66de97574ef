public import Foundation

/// The companion's outbox in one SQLite file. Every change is durable when its method returns.
public final class OutboxStore: Sendable {
    /// Replied entries that are kept for people to look at. 10,000: a few megabytes.
    private static let keptReplied = 10_000

    private static let migrations = [
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
        """
    ]

    private let file: DatabaseFile

    /// The file is opened at the first use, and again after trouble.
    public init(path: String) {
        file = DatabaseFile(path: path, migrations: Self.migrations)
    }

    /// Lets go of the file: everything is in it then. The next use opens it again.
    public func close() { file.close() }

    /// Takes quizzes in, all in one transaction, in their order.
    public func accept(
        _ quizzes: [(identifier: UUID, archive: Data)], at time: Date
    ) throws(DatabaseError) -> [AcceptOutcome] {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var outcomes: [AcceptOutcome] = []
                for quiz in quizzes { outcomes.append(try Self.accept(quiz, time, database)) }
                return outcomes
            }
        }
    }

    /// What has not been replied to, in the order of acceptance.
    public func pending() throws(DatabaseError) -> [(identifier: UUID, position: Int64)] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT identifier, position FROM outbox WHERE state = 'pending' ORDER BY position")
            defer { statement.reset() }
            var entries: [(UUID, Int64)] = []
            while try statement.step() {
                if let identifier = UUID(uuidString: statement.text(0)) {
                    entries.append((identifier, statement.integer(1)))
                }
            }
            return entries
        }
    }

    /// The bytes of an entry; nil if there is no such entry.
    public func archive(_ identifier: UUID) throws(DatabaseError) -> Data? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT archive FROM outbox WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Records how entries ended, all in one transaction.
    public func settle(
        _ entries: [(identifier: UUID, state: OutboxEntry.State, reason: String?)], at time: Date
    ) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                for entry in entries {
                    let statement = try database.statement(
                        "UPDATE outbox SET state = ?2, reason = ?3, settled_at = ?4 WHERE identifier = ?1")
                    try statement.bind(entry.identifier, at: 1)
                    try statement.bind(entry.state.rawValue, at: 2)
                    try statement.bind(entry.reason, at: 3)
                    try statement.bind(time.milliseconds, at: 4)
                    try statement.run()
                }
            }
        }
    }

    /// Forgets replied entries beyond those that are kept for people to look at.
    public func prune() throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            let prune = try database.statement(
                """
                DELETE FROM outbox WHERE state = 'replied' AND position <=
                    (SELECT position FROM outbox WHERE state = 'replied' ORDER BY position DESC LIMIT 1 OFFSET ?1)
                """)
            try prune.bind(Int64(Self.keptReplied), at: 1)
            try prune.run()
        }
    }

    public func entry(_ identifier: UUID) throws(DatabaseError) -> OutboxEntry? {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            return try Self.rows(statement).first
        }
    }

    /// The latest entries in a state, the newest first.
    public func entries(_ state: OutboxEntry.State, limit: Int) throws(DatabaseError) -> [OutboxEntry] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.columns) WHERE state = ?1 ORDER BY position DESC LIMIT ?2")
            try statement.bind(state.rawValue, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try Self.rows(statement)
        }
    }

    public func counts() throws(DatabaseError) -> [OutboxEntry.State: Int] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement("SELECT state, count(*) FROM outbox GROUP BY state")
            defer { statement.reset() }
            var counts: [OutboxEntry.State: Int] = [:]
            while try statement.step() {
                if let state = OutboxEntry.State(rawValue: statement.text(0)) {
                    counts[state] = Int(statement.integer(1))
                }
            }
            return counts
        }
    }

    // MARK: - Rows

    private static func accept(
        _ quiz: (identifier: UUID, archive: Data), _ time: Date, _ database: Database
    ) throws(DatabaseError) -> AcceptOutcome {
        let insert = try database.statement(
            "INSERT INTO outbox (identifier, archive, accepted_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")
        try insert.bind(quiz.identifier, at: 1)
        try insert.bind(quiz.archive, at: 2)
        try insert.bind(time.milliseconds, at: 3)
        try insert.run()
        if database.changes == 1 { return .accepted(position: database.lastInsertedRow) }

        let compare = try database.statement("SELECT archive = ?2, state, reason FROM outbox WHERE identifier = ?1")
        try compare.bind(quiz.identifier, at: 1)
        try compare.bind(quiz.archive, at: 2)
        defer { compare.reset() }
        guard try compare.step(), compare.integer(0) == 1, let state = OutboxEntry.State(rawValue: compare.text(1))
        else {
            return .conflict
        }
        return .repeated(state, reason: compare.isNull(2) ? nil : compare.text(2))
    }

    private static let columns = "identifier, position, state, reason, accepted_at, settled_at FROM outbox"

    private static func rows(_ statement: Statement) throws(DatabaseError) -> [OutboxEntry] {
        defer { statement.reset() }
        var rows: [OutboxEntry] = []
        while try statement.step() {
            guard let identifier = UUID(uuidString: statement.text(0)),
                let state = OutboxEntry.State(rawValue: statement.text(2))
            else { continue }
            rows.append(
                OutboxEntry(
                    identifier: identifier, position: statement.integer(1), state: state,
                    reason: statement.isNull(3) ? nil : statement.text(3),
                    acceptedAt: Date(milliseconds: statement.integer(4)),
                    settledAt: statement.isNull(5) ? nil : Date(milliseconds: statement.integer(5))))
        }
        return rows
    }
}
