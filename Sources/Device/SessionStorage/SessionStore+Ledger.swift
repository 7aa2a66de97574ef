package import Foundation
package import LinkProtocol
import Locking
package import Storage

extension SessionStore {
    /// Writes entries. Existing ones are merged and move to the end. From time to time the oldest entries beyond the
    /// capacity are removed.
    package func write(_ batch: LedgerBatch) throws(DatabaseError) {
        try commit({ _ throws(DatabaseError) in () }, noting: { _ in batch })
    }

    /// Changes records, and writes the matching ledger entries in the same commit, so that the two never disagree.
    func commit<Outcome: Sendable>(
        _ body: @Sendable (Database) throws(DatabaseError) -> Outcome, noting: @Sendable (Outcome) -> LedgerBatch
    ) throws(DatabaseError) -> Outcome {
        try file.use { [self] database throws(DatabaseError) in
            let known = ledgerCount.withLock { $0 }
            let (outcome, count) = try database.transaction { () throws(DatabaseError) -> (Outcome, Int?) in
                let outcome = try body(database)
                let batch = noting(outcome)
                guard !batch.entries.isEmpty else { return (outcome, known) }
                return (outcome, try Self.write(batch, known, database))
            }
            ledgerCount.withLock { $0 = count }
            return outcome
        }
    }

    /// - Returns: The number of entries afterwards.
    private static func write(
        _ batch: LedgerBatch, _ known: Int?, _ database: Database
    ) throws(DatabaseError) -> Int {
        var count = if let known { known } else { try countEntries(database) }
        var change = try lastChange(database)
        for entry in batch.entries {
            change += 1
            if try insert(entry, change, database) {
                count += 1
            } else {
                try merge(entry, change, database)
            }
        }
        if count > batch.capacity + batch.capacity / 50 {
            try removeOldest(count - batch.capacity, database)
            count = batch.capacity
        }
        return count
    }

    /// Marks the unfinished messages of an earlier process as failed: their handlers ended with it.
    ///
    /// Transfers are not affected; they resume.
    package func endMessages(_ cause: String, at time: Date) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                UPDATE ledger SET state = 'failed', cause = ?1, ended_at = ?2
                WHERE kind IN ('message', 'data') AND state IN ('queued', 'sent', 'received')
                """)
            try statement.bind(cause, at: 1)
            try statement.bind(time.microseconds, at: 2)
            try statement.run()
        }
    }

    /// Returns the latest entries that match a query, in the order of their last change.
    package func ledger(_ query: LedgerQuery) throws(DatabaseError) -> [LedgerEntry] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                SELECT \(Self.columns) FROM ledger
                WHERE change > ?1 AND change < ?4 AND (?2 IS NULL OR identifier = ?2) ORDER BY change DESC LIMIT ?3
                """)
            try statement.bind(query.after, at: 1)
            try statement.bind(query.identifier, at: 2)
            try statement.bind(Int64(query.limit), at: 3)
            try statement.bind(query.before ?? .max, at: 4)
            defer { statement.reset() }
            var entries: [LedgerEntry] = []
            while try statement.step() {
                if let entry = Self.entry(statement) { entries.append(entry) }
            }
            return entries.reversed()
        }
    }

    private static func countEntries(_ database: Database) throws(DatabaseError) -> Int {
        let statement = try database.statement("SELECT count(*) FROM ledger")
        defer { statement.reset() }
        return try statement.step() ? Int(statement.integer(0)) : 0
    }

    private static func lastChange(_ database: Database) throws(DatabaseError) -> Int64 {
        let statement = try database.statement("SELECT coalesce(max(change), 0) FROM ledger")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    private static func removeOldest(_ count: Int, _ database: Database) throws(DatabaseError) {
        let statement = try database.statement(
            "DELETE FROM ledger WHERE change IN (SELECT change FROM ledger ORDER BY change LIMIT ?1)")
        try statement.bind(Int64(count), at: 1)
        try statement.run()
    }

    private static let columns = """
        change, identifier, direction, kind, device, bytes, state, cause, related, attempts,
        queued_at, sent_at, received_at, delivered_at, ended_at
        """

    /// SQL for a new entry, composed once: it is looked up for each message.
    private static let insertion = """
        INSERT INTO ledger (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        ON CONFLICT (identifier, direction) DO NOTHING
        """

    /// - Returns: `false` if the message already has an entry for this direction.
    private static func insert(
        _ entry: LedgerEntry, _ change: Int64, _ database: Database
    ) throws(DatabaseError) -> Bool {
        let statement = try database.statement(insertion)
        try statement.bind(change, at: 1)
        try statement.bind(entry.identifier, at: 2)
        try statement.bind(entry.direction.rawValue, at: 3)
        try statement.bind(entry.kind, at: 4)
        try statement.bind(entry.device, at: 5)
        try statement.bind(entry.bytes, at: 6)
        try statement.bind(entry.state.rawValue, at: 7)
        try statement.bind(entry.cause, at: 8)
        try statement.bind(entry.related, at: 9)
        try statement.bind(Int64(entry.attempts), at: 10)
        try statement.bind(entry.queuedAt?.microseconds, at: 11)
        try statement.bind(entry.sentAt?.microseconds, at: 12)
        try statement.bind(entry.receivedAt?.microseconds, at: 13)
        try statement.bind(entry.deliveredAt?.microseconds, at: 14)
        try statement.bind(entry.endedAt?.microseconds, at: 15)
        try statement.run()
        return database.changes == 1
    }

    /// Merges an entry into the existing one.
    private static func merge(_ news: LedgerEntry, _ change: Int64, _ database: Database) throws(DatabaseError) {
        let find = try database.statement("SELECT \(columns) FROM ledger WHERE identifier = ?1 AND direction = ?2")
        try find.bind(news.identifier, at: 1)
        try find.bind(news.direction.rawValue, at: 2)
        // An unreadable entry is replaced.
        let known = try find.step() ? entry(find) : nil
        find.reset()
        let remove = try database.statement("DELETE FROM ledger WHERE identifier = ?1 AND direction = ?2")
        try remove.bind(news.identifier, at: 1)
        try remove.bind(news.direction.rawValue, at: 2)
        try remove.run()
        _ = try insert(known?.merging(news) ?? news, change, database)
    }

    private static func entry(_ row: Statement) -> LedgerEntry? {
        guard let identifier = row.identifier(1),
            let direction = LedgerEntry.Direction(rawValue: row.text(2)),
            let kind = TransferKind(rawValue: row.text(3)),
            let state = LedgerEntry.State(rawValue: row.text(6))
        else { return nil }
        var entry = LedgerEntry(
            identifier: identifier, direction: direction, kind: kind, device: row.identifier(4),
            bytes: row.integer(5), state: state)
        entry.sequence = row.integer(0)
        entry.cause = row.isNull(7) ? nil : row.text(7)
        entry.related = row.identifier(8)
        entry.attempts = Int(row.integer(9))
        entry.queuedAt = row.time(10)
        entry.sentAt = row.time(11)
        entry.receivedAt = row.time(12)
        entry.deliveredAt = row.time(13)
        entry.endedAt = row.time(14)
        return entry
    }
}

extension Statement {
    /// Returns a column of microseconds since 1970 as a date.
    fileprivate func time(_ column: Int32) -> Date? {
        isNull(column) ? nil : Date(timeIntervalSince1970: Double(integer(column)) / 1_000_000)
    }
}
