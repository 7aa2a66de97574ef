package import RecordStorage

/// The rows of hosts. Each tells a number up to which it counts the host's records: insertions leave it as it is, and the
/// records after it are counted by their numbers, which have no gaps.
extension RecordTables {
    /// The highest number of the host of a row, as its records tell.
    private var newest: String {
        "coalesce((SELECT max(t.sequence) FROM \(table) t WHERE t.host = watchlink_writers.number), 0)"
    }
    /// The number of records of the host of a row.
    private var counted: String { "records + greatest(\(newest) - settled, 0)" }
    /// The number of records of all hosts.
    private var countedOfAll: String { "coalesce(sum(\(counted)), 0)::bigint" }

    /// Finds the number of a host, and the highest of its records.
    package func readWriter(_ name: String) -> ServerStatement {
        ServerStatement(
            "SELECT number, greatest(settled, \(newest)) FROM watchlink_writers WHERE kind = $1 AND name = $2",
            [.text(kind.plural), .text(name)], isRepeated: false)
    }

    /// Gives a host its number; in a transaction that has locked the schema. A number that only records have, because
    /// somebody deleted its row, is not used again either.
    package func addWriter(_ name: String) -> ServerStatement {
        ServerStatement(
            """
            INSERT INTO watchlink_writers (kind, number, name, settled, records)
            SELECT $1, greatest(coalesce(max(number), 0), coalesce((SELECT max(host) FROM \(table)), 0)) + 1, $2, 0, 0
            FROM watchlink_writers WHERE kind = $1
            ON CONFLICT (kind, name) DO NOTHING
            """, [.text(kind.plural), .text(name)], isRepeated: false)
    }

    /// Finds the highest number of a host.
    package func highest(of host: Int32) -> ServerStatement {
        ServerStatement(
            "SELECT greatest(settled, \(newest)) FROM watchlink_writers WHERE kind = $1 AND number = $2",
            [.text(kind.plural), .number(host)])
    }

    /// Passes over numbers of a host that are missing, up to one, after ``lockWriter(_:)`` in the same transaction.
    package func settle(_ host: Int32, at least: Int64) -> ServerStatement {
        ServerStatement(
            """
            UPDATE watchlink_writers SET records = \(counted), settled = greatest(settled, \(newest), $3)
            WHERE kind = $1 AND number = $2 RETURNING settled
            """, [.text(kind.plural), .number(host), .integer(least)])
    }

    /// Locks the rows of the hosts that stored some records, and of one more, always in the same order.
    package func lockWriters(_ host: Int32, hostsOf keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            SELECT number FROM watchlink_writers WHERE kind = $1 AND (number = $4 OR \(isHost("$2", "$3")))
            ORDER BY number FOR UPDATE
            """, [.text(kind.plural)] + keyParameters(keys) + [.number(host)])
    }

    /// Counts all records of the hosts that stored some, after ``lockWriters(_:hostsOf:)`` in the same transaction: with
    /// the highest record its number would be forgotten, and given again.
    package func settle(hostsOf keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            UPDATE watchlink_writers SET records = \(counted), settled = greatest(settled, \(newest))
            WHERE kind = $1 AND \(isHost("$2", "$3")) AND settled < \(newest) RETURNING number
            """, [.text(kind.plural)] + keyParameters(keys))
    }

    private func isHost(_ identifiers: String, _ devices: String) -> String {
        """
        number IN (SELECT r.host FROM unnest(\(identifiers)::uuid[], \(devices)::uuid[]) AS i(identifier, device)
            JOIN \(table) r ON r.identifier = i.identifier AND r.device = i.device)
        """
    }

    /// The keys of records as two arrays.
    func keyParameters(_ keys: [RecordKey]) -> [ServerParameter] {
        [.identifiers(keys.map(\.identifier)), .identifiers(keys.map(\.device))]
    }

    /// Finds the hosts whose numbers have passed a cursor, in the order of pages.
    package func writers(after cursor: HostCursor) -> ServerStatement {
        let known = cursor.sequences.sorted { $0.key < $1.key }
        return ServerStatement(
            """
            SELECT w.number, coalesce(c.sequence, 0) FROM watchlink_writers w
                LEFT JOIN unnest($2::bigint[], $3::bigint[]) AS c(number, sequence) ON c.number = w.number
            WHERE w.kind = $1 AND EXISTS (
                SELECT 1 FROM \(table) t WHERE t.host = w.number AND t.sequence > coalesce(c.sequence, 0))
            ORDER BY w.number
            """,
            [.text(kind.plural), .integers(known.map { Int64($0.key) }), .integers(known.map(\.value))])
    }

    package var total: ServerStatement {
        ServerStatement(
            "SELECT \(countedOfAll) FROM watchlink_writers WHERE kind = $1", [.text(kind.plural)])
    }

    package var askHosts: ServerStatement {
        ServerStatement(
            "SELECT count(*)::bigint, \(countedOfAll) FROM watchlink_writers WHERE kind = $1",
            [.text(kind.plural)], isRepeated: false)
    }

    /// Adds to a host's number of records.
    func countingCTE(_ rows: String, sign: String) -> String {
        """
        counted AS (
            UPDATE watchlink_writers SET records = records \(sign) (SELECT count(*) FROM \(rows))
            WHERE kind = $1 AND number = $2 AND EXISTS (SELECT 1 FROM \(rows)) RETURNING number)
        """
    }
}
