public import EventLog
public import Foundation
import Locking
import Storage

/// The companion's outbox in one SQLite file. Every change is durable when its method returns.
public final class OutboxStore: Sendable {
    /// The number of replied entries that are kept for inspection. 10,000: a few megabytes.
    private static let keptReplied = 10_000

    let file: DatabaseFile
    /// The files of open entries; nil if payloads have none.
    package let files: OutboxFiles?
    /// The number of replied entries in the file; nil until they are counted.
    private let replied = Mutex<Int?>(nil)

    /// Creates a store. The file is opened on first use, and again after failures.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - logger: Logs failures of the file once, recoveries and repairs.
    ///   - keepsFiles: True if payloads may have files, which are in a directory beside the file.
    public init(path: String, logger: Logger = .silent, keepsFiles: Bool) {
        file = DatabaseFile(path: path, schema: OutboxSchema.schema(keepsFiles: keepsFiles), logger: logger)
        files = keepsFiles ? OutboxFiles(path: Self.files(of: path)) : nil
    }

    /// Creates a store for payloads without files.
    public convenience init(path: String, logger: Logger = .silent) {
        self.init(path: path, logger: logger, keepsFiles: false)
    }

    /// Returns the path of the directory with the files of an outbox.
    package static func files(of path: String) -> String { path + "-files" }

    /// Closes the file, which then contains everything. The next use opens it again.
    public func close() { file.close() }

    /// Accepts payloads in one transaction, in their order.
    public func accept(
        _ payloads: [(identifier: UUID, archive: Data)], at time: Date
    ) throws(StoreError) -> [AcceptOutcome] {
        try accept(payloads, withFiles: [:], at: time)
    }

    /// Accepts payloads in one transaction, in their order.
    ///
    /// - Parameter digests: The SHA-256 of the payloads' files, which are durable beside the database.
    package func accept(
        _ payloads: [(identifier: UUID, archive: Data)], withFiles digests: [UUID: Data], at time: Date
    ) throws(StoreError) -> [AcceptOutcome] {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var outcomes: [AcceptOutcome] = []
                for payload in payloads {
                    let outcome = try Self.accept(payload, time, database)
                    if case .accepted = outcome, let digest = digests[payload.identifier] {
                        try Self.remember(digest, of: payload.identifier, database)
                    }
                    outcomes.append(outcome)
                }
                return outcomes
            }
        }
    }

    /// Returns the pending entries, in the order of acceptance.
    public func pending() throws(StoreError) -> [(identifier: UUID, position: Int64)] {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT identifier, position FROM outbox WHERE state = 'pending' AND \(Self.isOpen) ORDER BY position")
            defer { statement.reset() }
            var entries: [(UUID, Int64)] = []
            while try statement.step() {
                if let identifier = statement.identifier(0) {
                    entries.append((identifier, statement.integer(1)))
                }
            }
            return entries
        }
    }

    /// Returns the archive of an entry; nil if it does not exist.
    public func archive(_ identifier: UUID) throws(StoreError) -> Data? {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement("SELECT archive FROM outbox WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            defer { statement.reset() }
            return try statement.step() ? statement.blob(0) : nil
        }
    }

    /// Records the outcomes of entries in one transaction.
    public func settle(
        _ entries: [(position: Int64, state: OutboxEntry.State, reason: String?)], at time: Date
    ) throws(StoreError) {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                for entry in entries {
                    let statement = try database.statement(
                        "UPDATE outbox SET state = ?2, reason = ?3, settled_at = ?4 WHERE position = ?1")
                    try statement.bind(entry.position, at: 1)
                    try statement.bind(entry.state.rawValue, at: 2)
                    try statement.bind(entry.reason, at: 3)
                    try statement.bind(time.milliseconds, at: 4)
                    try statement.run()
                }
            }
        }
        let count = entries.count { $0.state == .replied }
        replied.withLock { $0 = $0.map { $0 + count } }
    }

    /// Deletes the oldest replied entries beyond those that are kept for inspection.
    ///
    /// - Returns: The identifiers of the deleted entries.
    @discardableResult
    public func prune() throws(StoreError) -> [UUID] {
        let known = replied.withLock { $0 }
        let count = if let known { known } else { try counts()[.replied] ?? 0 }
        let surplus = max(0, count - Self.keptReplied)
        var forgotten: [UUID] = []
        if surplus > 0 {
            forgotten = try file.serve { database throws(DatabaseError) in
                let prune = try database.statement(
                    """
                    DELETE FROM outbox WHERE position IN
                        (SELECT position FROM outbox WHERE state = 'replied' ORDER BY position LIMIT ?1)
                    RETURNING identifier
                    """)
                try prune.bind(Int64(surplus), at: 1)
                defer { prune.reset() }
                var identifiers: [UUID] = []
                while try prune.step() {
                    if let identifier = prune.identifier(0) { identifiers.append(identifier) }
                }
                return identifiers
            }
        }
        replied.withLock { $0 = count - surplus }
        return forgotten
    }

    /// Returns an entry; nil if it does not exist.
    public func entry(_ identifier: UUID) throws(StoreError) -> OutboxEntry? {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement("SELECT \(Self.columns) WHERE identifier = ?1")
            try statement.bind(identifier, at: 1)
            return try Self.rows(statement).first
        }
    }

    /// Returns the latest entries in a state, the newest first.
    public func entries(_ state: OutboxEntry.State, limit: Int) throws(StoreError) -> [OutboxEntry] {
        try file.serve { database throws(DatabaseError) in
            let hasIndex = state == .replied ? "1" : Self.isOpen
            let statement = try database.statement(
                "SELECT \(Self.columns) WHERE state = ?1 AND \(hasIndex) ORDER BY position DESC LIMIT ?2")
            try statement.bind(state.rawValue, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try Self.rows(statement)
        }
    }

    /// Returns the number of entries by state.
    public func counts() throws(StoreError) -> [OutboxEntry.State: Int] {
        try file.serve { database throws(DatabaseError) in
            // Replied entries are the majority, and not in the index of states.
            let statement = try database.statement(
                """
                SELECT state, count(*) FROM outbox WHERE \(Self.isOpen) GROUP BY state
                UNION ALL SELECT 'replied', count(*) FROM outbox
                """)
            defer { statement.reset() }
            var counts: [OutboxEntry.State: Int] = [:]
            while try statement.step() {
                guard let state = OutboxEntry.State(rawValue: statement.text(0)) else { continue }
                counts[state] = Int(statement.integer(1))
            }
            let open = counts.filter { $0.key != .replied }.values.reduce(0, +)
            counts[.replied, default: 0] -= open
            return counts.filter { $0.value > 0 }
        }
    }

    // MARK: - Rows

    private static func accept(
        _ payload: (identifier: UUID, archive: Data), _ time: Date, _ database: Database
    ) throws(DatabaseError) -> AcceptOutcome {
        let insert = try database.statement(
            """
            INSERT INTO outbox (position, identifier, archive, accepted_at)
            VALUES (\(OutboxSchema.nextPosition), ?1, ?2, ?3) ON CONFLICT DO NOTHING
            """)
        try insert.bind(payload.identifier, at: 1)
        try insert.bind(payload.archive, at: 2)
        try insert.bind(time.milliseconds, at: 3)
        try insert.run()
        if database.changes == 1 { return .accepted(position: database.lastInsertedRow) }

        let compare = try database.statement("SELECT archive = ?2, state, reason FROM outbox WHERE identifier = ?1")
        try compare.bind(payload.identifier, at: 1)
        try compare.bind(payload.archive, at: 2)
        defer { compare.reset() }
        guard try compare.step(), compare.integer(0) == 1, let state = OutboxEntry.State(rawValue: compare.text(1))
        else {
            return .conflict
        }
        return .repeated(state, reason: compare.isNull(2) ? nil : compare.text(2))
    }

    /// The condition of the index, verbatim: SQLite uses the index for queries that repeat it.
    static let isOpen = "state <> 'replied'"

    static let columns = "identifier, position, state, reason, accepted_at, settled_at FROM outbox"

    static func rows(_ statement: Statement) throws(DatabaseError) -> [OutboxEntry] {
        defer { statement.reset() }
        var rows: [OutboxEntry] = []
        while try statement.step() {
            guard let identifier = statement.identifier(0),
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
