import Foundation
package import LinkProtocol
import Locking

extension SessionStore {
    /// Writes entries down; those that are there take what is new. Now and then the oldest beyond the bound are dropped.
    ///
    /// - Parameter capacity: How many entries the ledger keeps, give or take a fiftieth.
    package func write(_ entries: [LedgerEntry], capacity: Int) throws(DatabaseError) {
        try file.use { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var change = try Self.lastChange(database)
                for entry in entries {
                    change += 1
                    try Self.write(entry, change: change, database)
                }
                guard isPruningDue(after: entries.count, capacity) else { return }
                let statement = try database.statement(
                    """
                    DELETE FROM ledger WHERE sequence <=
                    (SELECT sequence FROM ledger ORDER BY sequence DESC LIMIT 1 OFFSET ?1)
                    """)
                try statement.bind(Int64(capacity), at: 1)
                try statement.run()
            }
        }
    }

    /// The latest entries that a query asks for, in the order of their last change.
    package func ledger(_ query: LedgerQuery) throws(DatabaseError) -> [LedgerEntry] {
        try file.use { database throws(DatabaseError) in
            let statement = try database.statement(
                """
                SELECT identifier, direction, kind, device, bytes, state, cause, related, attempts,
                queued_at, sent_at, received_at, delivered_at, ended_at, change FROM ledger
                WHERE change > ?1 AND (?2 IS NULL OR identifier = ?2) ORDER BY change DESC LIMIT ?3
                """)
            try statement.bind(query.after, at: 1)
            try statement.bind(query.identifier, at: 2)
            try statement.bind(Int64(query.limit), at: 3)
            defer { statement.reset() }
            var entries: [LedgerEntry] = []
            while try statement.step() {
                if let entry = Self.entry(statement) { entries.append(entry) }
            }
            return entries.reversed()
        }
    }

    /// Finding the oldest means counting the others, which is done once for many entries.
    private func isPruningDue(after count: Int, _ capacity: Int) -> Bool {
        writtenSincePruning.withLock { written in
            written += count
            guard written >= capacity / 50 else { return false }
            written = 0
            return true
        }
    }

    private static func lastChange(_ database: Database) throws(DatabaseError) -> Int64 {
        let statement = try database.statement("SELECT coalesce(max(change), 0) FROM ledger")
        defer { statement.reset() }
        return try statement.step() ? statement.integer(0) : 0
    }

    /// Whether what is new leaves the state as it is: a repeat, or the return of a delegate's method that replied before.
    private static let isLate = """
        (excluded.related = identifier
        OR (excluded.state = 'delivered' AND direction = 'incoming' AND ended_at IS NOT NULL))
        """

    private static let writeSQL = """
        INSERT INTO ledger (identifier, direction, kind, device, bytes, state, cause, related, attempts,
        queued_at, sent_at, received_at, delivered_at, ended_at, change)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
        ON CONFLICT (identifier, direction) DO UPDATE SET
        kind = excluded.kind, device = coalesce(excluded.device, device), bytes = max(bytes, excluded.bytes),
        state = CASE WHEN \(isLate) THEN state ELSE excluded.state END,
        cause = CASE WHEN \(isLate) THEN cause ELSE excluded.cause END, related = coalesce(excluded.related, related),
        attempts = attempts + excluded.attempts, queued_at = coalesce(queued_at, excluded.queued_at),
        sent_at = coalesce(sent_at, excluded.sent_at), received_at = coalesce(received_at, excluded.received_at),
        delivered_at = coalesce(excluded.delivered_at, delivered_at),
        ended_at = coalesce(excluded.ended_at, ended_at), change = excluded.change
        """

    private static func write(_ entry: LedgerEntry, change: Int64, _ database: Database) throws(DatabaseError) {
        let statement = try database.statement(writeSQL)
        try statement.bind(entry.identifier, at: 1)
        try statement.bind(entry.direction.rawValue, at: 2)
        try statement.bind(entry.kind, at: 3)
        try statement.bind(entry.device, at: 4)
        try statement.bind(entry.bytes, at: 5)
        try statement.bind(entry.state.rawValue, at: 6)
        try statement.bind(entry.cause, at: 7)
        try statement.bind(entry.related, at: 8)
        try statement.bind(Int64(entry.attempts), at: 9)
        let times = [entry.queuedAt, entry.sentAt, entry.receivedAt, entry.deliveredAt, entry.endedAt]
        for (index, time) in times.enumerated() { try statement.bind(time?.microseconds, at: Int32(10 + index)) }
        try statement.bind(change, at: 15)
        try statement.run()
    }

    private static func entry(_ row: Statement) -> LedgerEntry? {
        guard let identifier = UUID(uuidString: row.text(0)),
            let direction = LedgerEntry.Direction(rawValue: row.text(1)),
            let kind = TransferKind(rawValue: row.text(2)),
            let state = LedgerEntry.State(rawValue: row.text(5))
        else { return nil }
        var entry = LedgerEntry(
            identifier: identifier, direction: direction, kind: kind, device: UUID(uuidString: row.text(3)),
            bytes: row.integer(4), state: state)
        entry.cause = row.isNull(6) ? nil : row.text(6)
        entry.related = UUID(uuidString: row.text(7))
        entry.attempts = Int(row.integer(8))
        entry.queuedAt = row.time(9)
        entry.sentAt = row.time(10)
        entry.receivedAt = row.time(11)
        entry.deliveredAt = row.time(12)
        entry.endedAt = row.time(13)
        entry.sequence = row.integer(14)
        return entry
    }
}

extension Statement {
    /// A column of microseconds since 1970.
    fileprivate func time(_ column: Int32) -> Date? {
        isNull(column) ? nil : Date(timeIntervalSince1970: Double(integer(column)) / 1_000_000)
    }
}
