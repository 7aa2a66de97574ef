package import Foundation
package import RecordStorage

extension RecordTables {
    /// The beginning of every transaction: an operator's usual level may be another, and each statement must see what
    /// was committed before it.
    package static let begin = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED")
    package static let commit = ServerStatement("COMMIT")
    package static let rollback = ServerStatement("ROLLBACK")

    /// Locks the row of a host: its commits have the order of its numbers.
    package func lockWriter(_ host: Int32) -> ServerStatement {
        ServerStatement(
            "SELECT last_sequence FROM watchlink_writers WHERE kind = $1 AND number = $2 FOR UPDATE",
            [.text(kind.plural), .number(host)])
    }

    /// Inserts a batch whose keys are different, after ``lockWriter(_:)`` in the same transaction, and returns the
    /// sequence numbers of those that were not there, in any order: the position in the batch decides the number.
    ///
    /// - Parameters:
    ///   - least: The lowest number after which to continue: that of this process, should the server be an older copy.
    ///   - expectsRepeats: True to pass over records that are there. Without it the server refuses them with 23505, and
    ///     saves a fifth of the log and of the time: for each row that might conflict, it logs that it did not.
    package func insert(
        _ arrivals: [RecordArrival], digests: [Data], host: Int32, least: Int64, expectsRepeats: Bool
    ) throws(StoreError) -> ServerStatement {
        let batch = try InsertParameters(arrivals, digests: digests, host: host, least: least, of: self)
        let conflict = expectsRepeats ? "ON CONFLICT (identifier, device) DO NOTHING " : ""
        let text = """
            WITH stored AS (
                \(batch.insertion)
                (SELECT greatest(last_sequence, $3) FROM watchlink_writers WHERE kind = $1 AND number = $2) + i.position
                \(batch.source)
                \(conflict)RETURNING sequence),
            counted AS (
                UPDATE watchlink_writers SET last_sequence = greatest(last_sequence, $3) + $4,
                    records = records + (SELECT count(*) FROM stored)
                WHERE kind = $1 AND number = $2 AND EXISTS (SELECT 1 FROM stored) RETURNING number)
            SELECT sequence FROM stored
            """
        return ServerStatement(text, batch.parameters)
    }

    /// Inserts a batch of new records whose keys are different as a transaction of its own, and returns their sequence
    /// numbers; none if the host has no row, or one that is older than this process knows.
    ///
    /// The statements of a transaction around it would take the server half as long again as one record. The update locks
    /// the host's row first, so the commits have the order of the numbers; for that the statement must see what was committed
    /// while it waited: the session's usual isolation must be that of ``begin``.
    ///
    /// - Parameter least: The highest number that the server confirmed to this process.
    package func insertAlone(
        _ arrivals: [RecordArrival], digests: [Data], host: Int32, least: Int64
    ) throws(StoreError) -> ServerStatement {
        let batch = try InsertParameters(arrivals, digests: digests, host: host, least: least, of: self)
        let text = """
            WITH numbered AS (
                UPDATE watchlink_writers SET last_sequence = last_sequence + $4, records = records + $4
                WHERE kind = $1 AND number = $2 AND last_sequence >= $3 RETURNING last_sequence - $4 AS least)
            \(batch.insertion) numbered.least + i.position
            \(batch.source) CROSS JOIN numbered
            RETURNING sequence
            """
        return ServerStatement(text, batch.parameters)
    }

    func misshapen(_ key: RecordKey) -> StoreError {
        StoreError(
            .refused,
            "the \(kind.name) \(key.identifier) has other columns than its kind, which has (\(signature)); nothing of the batch was stored"
        )
    }

    /// Finds digest and deletion of records by their keys, in the order of the keys.
    package func digests(of keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            SELECT i.position, t.digest, t.deleted_at, t.host, t.sequence
            FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS i(identifier, device, position)
                JOIN \(table) t ON t.identifier = i.identifier AND t.device = i.device
            """,
            [.identifiers(keys.map(\.identifier)), .identifiers(keys.map(\.device))])
    }

    package func update(_ record: Record, updatedAt: Date) throws(StoreError) -> ServerStatement {
        var parameters: [ServerParameter] = [
            .identifier(record.key.identifier), .identifier(record.key.device), .bytes(record.archive),
            .integer(updatedAt.milliseconds),
        ]
        guard record.values.map(\.type) == kind.columns.map(\.type) else { throw misshapen(record.key) }
        var settings = ""
        for (column, value) in zip(kind.columns, record.values) {
            parameters.append(value.parameter)
            settings += ", \"\(column.name)\" = $\(parameters.count)"
        }
        return ServerStatement(
            """
            UPDATE \(table) SET received_archive = coalesce(received_archive, archive), archive = $3,
                updated_at = $4\(settings)
            WHERE identifier = $1 AND device = $2 AND deleted_at IS NULL RETURNING sequence
            """, parameters)
    }

    /// Deletes a record, of which key and digest stay, so that a late duplicate meets them.
    ///
    /// The row itself stays, not a row of another table: whoever inserts the same key meanwhile waits for it and finds
    /// it, whatever he saw before.
    package func delete(_ key: RecordKey, deletedAt: Date, host: Int32) -> ServerStatement {
        ServerStatement(
            """
            WITH deleted AS (
                UPDATE \(table) SET deleted_at = $5, \(emptied)
                WHERE identifier = $3 AND device = $4 AND deleted_at IS NULL RETURNING sequence),
            \(countingCTE("deleted", sign: "-"))
            SELECT sequence FROM deleted
            """,
            [
                .text(kind.plural), .number(host), .identifier(key.identifier), .identifier(key.device),
                .integer(deletedAt.milliseconds),
            ])
    }

    /// The settings that leave only key and digest of a row.
    var emptied: String {
        "archive = ''::bytea, received_archive = NULL, updated_at = NULL"
            + kind.columns.map { ", \"\($0.name)\" = NULL" }.joined()
    }

    /// Finds the time of a deletion.
    package func deletion(of key: RecordKey) -> ServerStatement {
        ServerStatement(
            "SELECT deleted_at FROM \(table) WHERE identifier = $1 AND device = $2 AND deleted_at IS NOT NULL",
            [.identifier(key.identifier), .identifier(key.device)])
    }

    /// Finds the oldest records, the oldest first.
    package func oldest(limit: Int) -> ServerStatement {
        ServerStatement(
            """
            SELECT identifier, device, received_at FROM \(table) WHERE deleted_at IS NULL
            ORDER BY received_at, host, sequence LIMIT $1
            """, [.integer(Int64(limit))])
    }

    /// Deletes records without a trace.
    package func remove(_ keys: [RecordKey], host: Int32) -> ServerStatement {
        ServerStatement(
            """
            WITH removed AS (
                DELETE FROM \(table) t USING unnest($3::uuid[], $4::uuid[]) AS i(identifier, device)
                WHERE t.identifier = i.identifier AND t.device = i.device AND t.deleted_at IS NULL
                RETURNING t.identifier, t.device),
            \(countingCTE("removed", sign: "-"))
            SELECT identifier, device FROM removed
            """,
            [
                .text(kind.plural), .number(host), .identifiers(keys.map(\.identifier)),
                .identifiers(keys.map(\.device)),
            ])
    }
}

extension RecordValue {
    fileprivate var parameter: ServerParameter {
        switch self {
        case .text(let text): .text(text)
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .date(let date): .integer(date.milliseconds)
        }
    }
}
