package import Foundation
package import RecordStorage

/// The files that belong to records: a file and its record are durable together, and every host has both.
///
/// The key between the tables settles what hosts do at the same moment: no record is stored without its file, and no file is
/// removed that a record has.
extension RecordTables {
    /// The column of a record with the digest of its file. No column of an application begins with an underscore.
    static let fileColumn = "_file"

    // MARK: - Schema

    /// Finds out whether the table of records has the column of files.
    package var findFileColumn: ServerStatement {
        ServerStatement(
            """
            SELECT 1::bigint FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))
                AND table_name = $1 AND column_name = '\(Self.fileColumn)'
            """, [.text(kind.plural)], isRepeated: false)
    }

    /// The statements that add the table of files, and the column of records with a file.
    package var fileMigration: [ServerStatement] {
        [
            """
            CREATE TABLE IF NOT EXISTS \(files) (
                digest bytea PRIMARY KEY, bytes bigint NOT NULL, kept_at bigint NOT NULL,
                is_claimed boolean NOT NULL DEFAULT false, content bytea NOT NULL)
            """,
            "CREATE INDEX IF NOT EXISTS \"unclaimed_\(kind.plural)\" ON \(files) (kept_at) WHERE NOT is_claimed",
            "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \(Self.fileColumn) bytea REFERENCES \(files) (digest)",
            """
            CREATE INDEX IF NOT EXISTS "with_file_\(kind.plural)" ON \(table) (\(Self.fileColumn))
                WHERE \(Self.fileColumn) IS NOT NULL
            """,
        ].map { ServerStatement($0, isRepeated: false) }
    }

    /// The condition that a record has the file of the row “f”.
    private var hasRecord: String { "EXISTS (SELECT 1 FROM \(table) t WHERE t.\(Self.fileColumn) = f.digest)" }

    // MARK: - Keeping

    /// Adds a file, of which the server may have the content already.
    package func add(_ content: Data, digest: Data, at time: Date) -> ServerStatement {
        ServerStatement(
            """
            INSERT INTO \(files) AS f (digest, bytes, kept_at, content) VALUES ($1, $2, $3, $4)
            ON CONFLICT (digest) DO UPDATE SET kept_at = greatest(f.kept_at, excluded.kept_at)
            """, [.bytes(digest), .integer(Int64(content.count)), .integer(time.milliseconds), .bytes(content)])
    }

    /// Finds those of some files that are there, which then wait for their records from a time on.
    package func claim(_ digests: [Data], at time: Date) -> ServerStatement {
        ServerStatement(
            "UPDATE \(files) SET kept_at = greatest(kept_at, $2) WHERE digest = ANY ($1::bytea[]) RETURNING digest",
            [.bytes(digests), .integer(time.milliseconds)])
    }

    package func content(of digest: Data) -> ServerStatement {
        ServerStatement("SELECT content FROM \(files) WHERE digest = $1", [.bytes(digest)])
    }

    /// Ends the waiting of files, after the insertion of their records in the same transaction.
    package func settle(files digests: [Data]) -> ServerStatement {
        ServerStatement(
            """
            UPDATE \(files) f SET is_claimed = true WHERE f.digest = ANY ($1::bytea[]) AND NOT f.is_claimed
                AND \(hasRecord)
            """, [.bytes(digests)])
    }

    // MARK: - Removing

    /// Finds the files of records.
    package func files(of keys: [RecordKey]) -> ServerStatement {
        ServerStatement(
            """
            SELECT DISTINCT t.\(Self.fileColumn) FROM unnest($1::uuid[], $2::uuid[]) AS i(identifier, device)
                JOIN \(table) t ON t.identifier = i.identifier AND t.device = i.device
            WHERE t.\(Self.fileColumn) IS NOT NULL
            """, keyParameters(keys))
    }

    /// Removes those of some files that no record has any more, after the deletion of records in the same transaction.
    package func remove(files digests: [Data]) -> ServerStatement {
        ServerStatement(
            """
            DELETE FROM \(files) f WHERE f.digest = ANY ($1::bytea[])
                AND NOT \(hasRecord)
            """, [.bytes(digests)])
    }

    /// Removes the files that have waited for their records for too long, and those beyond the limits.
    package func removeUnclaimedFiles(at time: Date) -> ServerStatement {
        let oldest = time.addingTimeInterval(-RecordFileLimits.unclaimedSeconds)
        return ServerStatement(
            """
            DELETE FROM \(files) f WHERE NOT f.is_claimed AND f.digest IN (
                SELECT digest FROM (
                    SELECT digest, kept_at, sum(bytes) OVER latest AS total, count(*) OVER latest AS place
                    FROM \(files) WHERE NOT is_claimed
                    WINDOW latest AS (ORDER BY kept_at DESC, digest ROWS UNBOUNDED PRECEDING)) w
                WHERE kept_at < $1 OR total > $2 OR place > $3)
                AND NOT \(hasRecord)
            RETURNING f.digest
            """,
            [
                .integer(oldest.milliseconds), .integer(Int64(RecordFileLimits.unclaimedBytes)),
                .integer(Int64(RecordFileLimits.unclaimedCount)),
            ])
    }
}
