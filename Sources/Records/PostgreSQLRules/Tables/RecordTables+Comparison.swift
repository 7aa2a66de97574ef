import Files
import Foundation
package import RecordStorage

/// The comparison with another store, and the traces of deleted records.
extension RecordTables {
    /// Inserts the traces of records that were deleted elsewhere and are not here, after ``lockWriter(_:)`` in the same
    /// transaction. Their digest is empty: a deleted record is not compared. Their numbers are negative: nobody pages over
    /// them by number, and those of records have no gaps.
    package func insertTraces(of deletions: [RecordDeletion], host: Int32) -> ServerStatement {
        ServerStatement(
            """
            INSERT INTO \(table) (identifier, device, received_at, deleted_at, digest, archive, host, sequence)
            SELECT i.identifier, i.device, i.deleted_at, i.deleted_at, ''::bytea, ''::bytea, $2,
                (SELECT least(coalesce(min(t.sequence), 0), 0) FROM \(table) t WHERE t.host = $2) - i.position
            FROM unnest($3::uuid[], $4::uuid[], $5::bigint[])
                WITH ORDINALITY AS i(identifier, device, deleted_at, position)
            WHERE EXISTS (SELECT 1 FROM watchlink_writers WHERE kind = $1 AND number = $2)
            ON CONFLICT (identifier, device) DO NOTHING RETURNING sequence
            """, [.text(kind.plural), .number(host)] + parameters(deletions))
    }

    /// Deletes the records among them that are here, after ``insertTraces(of:host:)``: whoever stored one before
    /// that statement's snapshot is met by this one.
    package func delete(_ deletions: [RecordDeletion], host: Int32) -> ServerStatement {
        ServerStatement(
            """
            WITH deleted AS (
                UPDATE \(table) t SET deleted_at = i.deleted_at, \(emptied)
                FROM unnest($3::uuid[], $4::uuid[], $5::bigint[]) AS i(identifier, device, deleted_at)
                WHERE t.identifier = i.identifier AND t.device = i.device AND t.deleted_at IS NULL
                RETURNING t.sequence),
            \(countingCTE("deleted", sign: "-"))
            SELECT sequence FROM deleted
            """, [.text(kind.plural), .number(host)] + parameters(deletions))
    }

    private func parameters(_ deletions: [RecordDeletion]) -> [ServerParameter] {
        [
            .identifiers(deletions.map(\.key.identifier)), .identifiers(deletions.map(\.key.device)),
            .integers(deletions.map(\.deletedAt.milliseconds)),
        ]
    }

    /// Finds a page of traces in the order of their keys.
    package func deletions(after key: RecordKey?, limit: Int) -> ServerStatement {
        var (condition, parameters) = ("", [ServerParameter.integer(Int64(limit))])
        if let key {
            condition = "AND (identifier, device) > ($2::uuid, $3::uuid)"
            parameters += [.identifier(key.identifier), .identifier(key.device)]
        }
        return ServerStatement(
            """
            SELECT identifier, device, deleted_at FROM \(table) WHERE deleted_at IS NOT NULL \(condition)
            ORDER BY identifier, device LIMIT $1
            """, parameters)
    }

    /// Finds the states of records. A changed one comes with its archive, of which no digest is stored.
    package func states(of keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            SELECT i.position, t.digest, t.deleted_at, t.updated_at,
                CASE WHEN t.received_archive IS NOT NULL THEN t.archive END
            FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS i(identifier, device, position)
                JOIN \(table) t ON t.identifier = i.identifier AND t.device = i.device
            """,
            keyParameters(keys))
    }

    /// Returns the position of a row of ``states(of:)``, and the state; nil if another program wrote what is none.
    package func state(_ row: ServerRow) -> (position: Int, state: RecordState)? {
        guard let position = row.integer(0), let received = row.bytes(1) else { return nil }
        if row.bytes(2) != nil { return (Int(position), .deleted) }
        let state = RecordState.stored(
            received: received, present: row.bytes(4).map(ContentDigest.of) ?? received,
            updatedAt: row.integer(3).map(Date.init(milliseconds:)))
        return (Int(position), state)
    }
}
