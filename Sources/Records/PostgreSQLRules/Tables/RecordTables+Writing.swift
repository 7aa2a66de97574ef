package import Foundation
package import RecordStorage

extension RecordTables {
    /// The beginning of every transaction: an operator's usual level may be another, and each statement must see what
    /// was committed before it.
    package static let begin = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED")
    package static let commit = ServerStatement("COMMIT")
    package static let rollback = ServerStatement("ROLLBACK")

    /// Locks the row of a host, for changes of its number of records.
    package func lockWriter(_ host: Int32) -> ServerStatement {
        ServerStatement(
            "SELECT settled FROM watchlink_writers WHERE kind = $1 AND number = $2 FOR UPDATE",
            [.text(kind.plural), .number(host)])
    }

    /// Inserts one new record as a transaction of its own, with the number after the highest that the server confirmed.
    ///
    /// It touches nothing but the record, because each further row would cost the server a third as much again. The server
    /// refuses it with 23505 if the record is there, or if the number is, which another process of this host gave.
    package func insertOne(
        _ arrival: RecordArrival, digest: Data, host: Int32, sequence: Int64
    ) throws(StoreError) -> ServerStatement {
        let record = arrival.record
        try check(record)
        let parameters: [ServerParameter] =
            [
                .identifier(record.key.identifier), .identifier(record.key.device),
                .integer(arrival.receivedAt.milliseconds), .bytes(digest), .bytes(record.archive), .number(host),
                .integer(sequence),
            ] + record.values.map(\.parameter) + (kind.keepsFiles ? [.bytes(record.file)] : [])
        return ServerStatement(insertionOfOne, parameters)
    }

    /// Inserts a batch of new records whose keys are different, with the numbers after the highest that the server
    /// confirmed; nothing if the server knows another highest number of this host, or has no row of it.
    ///
    /// The numbers have no gaps, so of two processes of one host the second meets the first one's numbers, and waits for
    /// its commit: a host's records become visible in the order of their numbers without any lock.
    package func insert(
        _ arrivals: [RecordArrival], digests: [Data], host: Int32, after last: Int64
    ) throws(StoreError) -> ServerStatement {
        let batch = try InsertParameters(arrivals, digests: digests, host: host, after: last, of: self)
        return ServerStatement(
            """
            \(batch.insertion)
            WHERE EXISTS (
                SELECT 1 FROM watchlink_writers WHERE kind = $1 AND number = $2 AND settled <= $3 AND (
                    settled = $3 OR EXISTS (SELECT 1 FROM \(table) t WHERE t.host = $2 AND t.sequence = $3)))
            """, batch.parameters)
    }

    /// Checks that a record can be stored in this kind's table.
    func check(_ record: Record) throws(StoreError) {
        // Stored without it, the record would never be found again with its file.
        guard record.file == nil || kind.keepsFiles else {
            throw StoreError(
                .refused,
                "cannot store \(kind.name) \(record.key.identifier) in “\(kind.plural)”: it has a file, and its kind has none"
            )
        }
        try checkColumns(of: record)
    }

    private func checkColumns(of record: Record) throws(StoreError) {
        guard record.values.count == kind.columns.count,
            zip(record.values, kind.columns).allSatisfy({ $0.type == $1.type })
        else {
            throw StoreError(
                .refused,
                "the \(kind.name) \(record.key.identifier) has other columns than its kind, which has (\(signature)); nothing of the batch was stored"
            )
        }
    }

    /// Finds digest and deletion of records by their keys, in the order of the keys.
    package func digests(of keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            SELECT i.position, t.digest, t.deleted_at, t.host, t.sequence
            FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS i(identifier, device, position)
                JOIN \(table) t ON t.identifier = i.identifier AND t.device = i.device
            """,
            keyParameters(keys))
    }

    package func update(_ record: Record, updatedAt: Date) throws(StoreError) -> ServerStatement {
        try checkColumns(of: record)
        var parameters: [ServerParameter] = [
            .identifier(record.key.identifier), .identifier(record.key.device), .bytes(record.archive),
            .integer(updatedAt.milliseconds),
        ]
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
            + (kind.keepsFiles ? ", \(Self.fileColumn) = NULL" : "")
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

    /// Deletes records without a trace, after ``settle(hostsOf:)`` in the same transaction.
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
            [.text(kind.plural), .number(host)] + keyParameters(keys))
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
