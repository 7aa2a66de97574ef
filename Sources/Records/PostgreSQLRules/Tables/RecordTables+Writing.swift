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
        // Stored without it, the record would never be found again with its file.
        if let record = arrivals.lazy.map(\.record).first(where: { $0.file != nil }) {
            throw StoreError(
                .refused,
                "cannot store \(kind.name) \(record.key.identifier) in “\(kind.plural)”: it has a file, and a server keeps none"
            )
        }
        var parameters: [ServerParameter] = [
            .text(kind.plural), .number(host), .integer(least), .integer(Int64(arrivals.count)),
            .identifiers(arrivals.map(\.record.key.identifier)), .identifiers(arrivals.map(\.record.key.device)),
            .integers(arrivals.map(\.receivedAt.milliseconds)), .bytes(digests), .bytes(arrivals.map(\.record.archive)),
        ]
        let fixed = parameters.count
        for place in kind.columns.indices { parameters.append(try column(place, of: arrivals)) }
        let columns = kind.columns.enumerated().map { place, column in
            ", $\(fixed + 1 + place)::\(Self.arrayType(column))"
        }
        let names = kind.columns.indices.map { ", c\($0)" }.joined()
        let conflict = expectsRepeats ? "ON CONFLICT (identifier, device) DO NOTHING " : ""
        let text = """
            WITH stored AS (
                INSERT INTO \(table) (identifier, device, received_at, digest, archive\(columnNames), host, sequence)
                SELECT i.identifier, i.device, i.received_at, i.digest, i.archive\(names), $2,
                    (SELECT greatest(last_sequence, $3) FROM watchlink_writers WHERE kind = $1 AND number = $2)
                        + i.position
                FROM unnest($5::uuid[], $6::uuid[], $7::bigint[], $8::bytea[], $9::bytea[]\(columns.joined()))
                    WITH ORDINALITY AS i(identifier, device, received_at, digest, archive\(names), position)
                \(conflict)RETURNING sequence),
            counted AS (
                UPDATE watchlink_writers SET last_sequence = greatest(last_sequence, $3) + $4,
                    records = records + (SELECT count(*) FROM stored)
                WHERE kind = $1 AND number = $2 AND EXISTS (SELECT 1 FROM stored) RETURNING number)
            SELECT sequence FROM stored
            """
        return ServerStatement(text, parameters)
    }

    private static func arrayType(_ column: RecordColumn) -> String {
        switch column.type {
        case .text: "text[]"
        case .integer, .date: "bigint[]"
        case .real: "double precision[]"
        }
    }

    /// Returns one column of a batch as an array.
    private func column(_ place: Int, of arrivals: [RecordArrival]) throws(StoreError) -> ServerParameter {
        let column = kind.columns[place]
        var (texts, integers, reals) = ([String](), [Int64](), [Double]())
        for arrival in arrivals {
            let values = arrival.record.values
            guard values.count == kind.columns.count, values[place].type == column.type else {
                throw misshapen(arrival.record.key)
            }
            switch values[place] {
            case .text(let text): texts.append(text)
            case .integer(let integer): integers.append(integer)
            case .real(let real): reals.append(real)
            case .date(let date): integers.append(date.milliseconds)
            }
        }
        return switch column.type {
        case .text: .texts(texts)
        case .integer, .date: .integers(integers)
        case .real: .reals(reals)
        }
    }

    private func misshapen(_ key: RecordKey) -> StoreError {
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
