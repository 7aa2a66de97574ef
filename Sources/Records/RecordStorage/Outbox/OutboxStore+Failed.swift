public import Foundation
import Storage

/// The operator's commands for failed entries: sending them again, or dropping them.
extension OutboxStore {
    /// Returns up to `limit` entries that were not replied to, in the order of acceptance, after a position.
    public func open(after position: Int64, limit: Int) throws(StoreError) -> [OutboxEntry] {
        try file.serve { database throws(DatabaseError) in
            let statement = try database.statement(
                "SELECT \(Self.columns) WHERE \(Self.isOpen) AND position > ?1 ORDER BY position LIMIT ?2")
            try statement.bind(position, at: 1)
            try statement.bind(Int64(limit), at: 2)
            return try Self.rows(statement)
        }
    }

    /// Makes failed entries pending again, after all others, as if they were accepted now.
    ///
    /// - Parameter identifiers: The payloads; nil for all failed ones.
    /// - Returns: Those that had failed, with their new positions in ascending order.
    public func retry(
        _ identifiers: [UUID]?
    ) throws(StoreError) -> [(identifier: UUID, position: Int64)] {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var retried: [(UUID, Int64)] = []
                let named = if let identifiers { identifiers } else { try Self.failed(database) }
                for identifier in named {
                    let statement = try database.statement(
                        """
                        UPDATE outbox SET state = 'pending', reason = NULL, settled_at = NULL,
                            position = \(OutboxSchema.nextPosition)
                        WHERE identifier = ?1 AND state = 'failed' RETURNING position
                        """)
                    try statement.bind(identifier, at: 1)
                    defer { statement.reset() }
                    while try statement.step() { retried.append((identifier, statement.integer(0))) }
                }
                return retried
            }
        }
    }

    /// Deletes failed entries.
    ///
    /// - Returns: Those that had failed.
    public func drop(_ identifiers: [UUID]) throws(StoreError) -> [UUID] {
        try file.serve { database throws(DatabaseError) in
            try database.transaction { () throws(DatabaseError) in
                var dropped: [UUID] = []
                for identifier in identifiers {
                    let statement = try database.statement(
                        "DELETE FROM outbox WHERE identifier = ?1 AND state = 'failed'")
                    try statement.bind(identifier, at: 1)
                    try statement.run()
                    if database.changes == 1 { dropped.append(identifier) }
                }
                return dropped
            }
        }
    }

    private static func failed(_ database: Database) throws(DatabaseError) -> [UUID] {
        let statement = try database.statement(
            "SELECT identifier FROM outbox WHERE state = 'failed' AND \(isOpen) ORDER BY position")
        defer { statement.reset() }
        var identifiers: [UUID] = []
        while try statement.step() { if let identifier = statement.identifier(0) { identifiers.append(identifier) } }
        return identifiers
    }
}
