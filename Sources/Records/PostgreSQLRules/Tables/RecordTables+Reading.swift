package import Foundation
package import RecordStorage

extension RecordTables {
    /// The size of the archives after which a page ends. 1 MiB: a page of the largest records takes no more than one of
    /// many small ones.
    package static let pageBytes: Int64 = 1_024 * 1_024

    private var rowColumns: String {
        "t.host, t.sequence, t.identifier, t.device, t.received_at, t.updated_at, t.archive"
            + kind.columns.map { ", t.\"\($0.name)\"" }.joined() + (kind.keepsFiles ? ", t.\(Self.fileColumn)" : "")
    }

    package func receivedArchive(_ key: RecordKey) -> ServerStatement {
        ServerStatement(
            """
            SELECT coalesce(received_archive, archive) FROM \(table)
            WHERE identifier = $1 AND device = $2 AND deleted_at IS NULL
            """, [.identifier(key.identifier), .identifier(key.device)])
    }

    package func records(identifier: UUID) -> ServerStatement {
        ServerStatement(
            """
            SELECT \(rowColumns) FROM \(table) t WHERE t.identifier = $1 AND t.deleted_at IS NULL
            ORDER BY t.received_at, t.host, t.sequence
            """, [.identifier(identifier)])
    }

    package func latest(limit: Int) -> ServerStatement {
        ServerStatement(
            """
            SELECT \(rowColumns) FROM \(table) t WHERE t.deleted_at IS NULL
            ORDER BY t.received_at DESC, t.host DESC, t.sequence DESC LIMIT $1
            """, [.integer(Int64(limit))])
    }

    /// Finds a page of some hosts: the places first, so that only the page's archives are read.
    package func page(_ hosts: [(number: Int32, after: Int64)], limit: Int) -> ServerStatement {
        ServerStatement(
            """
            WITH place AS (
                SELECT r.host, r.sequence, r.size FROM unnest($1::bigint[], $2::bigint[]) AS c(number, sequence)
                    CROSS JOIN LATERAL (
                        SELECT t.host, t.sequence, octet_length(t.archive) AS size FROM \(table) t
                        WHERE t.host = c.number AND t.sequence > c.sequence AND t.deleted_at IS NULL
                        ORDER BY t.sequence LIMIT $3) r
                ORDER BY r.host, r.sequence LIMIT $3),
            page AS (
                SELECT host, sequence FROM (
                    SELECT host, sequence, sum(size) OVER (ORDER BY host, sequence) - size AS before FROM place) p
                WHERE before < $4)
            SELECT \(rowColumns) FROM page JOIN \(table) t ON t.host = page.host AND t.sequence = page.sequence
            ORDER BY t.host, t.sequence
            """,
            [
                .integers(hosts.map { Int64($0.number) }), .integers(hosts.map(\.after)), .integer(Int64(limit)),
                .integer(Self.pageBytes),
            ])
    }

    package func ages(before time: Date) -> ServerStatement {
        ServerStatement(
            """
            SELECT (SELECT count(*) FROM \(table) WHERE deleted_at IS NULL AND received_at < $1),
                (SELECT max(received_at) FROM \(table) WHERE deleted_at IS NULL)
            """, [.integer(time.milliseconds)])
    }

    /// Returns the record in a row of ``page(_:limit:)`` and its like, with its host; nil if another program wrote what
    /// is none.
    package func record(_ row: ServerRow, cursor: (Int32, Int64) -> RecordCursor) -> StoredRecord? {
        guard let host = row.integer(0), let sequence = row.integer(1), let identifier = row.identifier(2),
            let device = row.identifier(3)
        else { return nil }
        // A column that was added later is NULL in older rows.
        let values = kind.columns.enumerated().map { place, column -> RecordValue in
            let field = place + 7
            return switch column.type {
            case .text: .text(row.text(field) ?? "")
            case .integer: .integer(row.integer(field) ?? 0)
            case .real: .real(row.real(field) ?? 0)
            case .date: .date(Date(milliseconds: row.integer(field) ?? 0))
            }
        }
        return StoredRecord(
            cursor: cursor(Int32(truncatingIfNeeded: host), sequence), sequence: sequence,
            record: Record(
                key: RecordKey(identifier, device: device), values: values, archive: row.bytes(6) ?? Data(),
                file: kind.keepsFiles ? row.bytes(7 + kind.columns.count) : nil),
            receivedAt: Date(milliseconds: row.integer(4) ?? 0), updatedAt: row.integer(5).map(Date.init(milliseconds:))
        )
    }
}

extension Date {
    /// Whole milliseconds since 1970 in UTC, clamped to 64 bits.
    package var milliseconds: Int64 {
        let value = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: value) ?? (value < 0 ? .min : .max)
    }

    package init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
