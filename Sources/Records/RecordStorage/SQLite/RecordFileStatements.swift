/// The SQL of a kind's files.
struct RecordFileStatements: Sendable {
    let keep, keepContent, claim, isHere, content, expire: String

    init(_ kind: RecordKind) {
        let (files, contents) = ("[files_\(kind.plural)]", "[contents_\(kind.plural)]")
        keep = """
            INSERT INTO \(files) (digest, bytes, kept_at) VALUES (?1, ?2, ?3)
            ON CONFLICT (digest) DO UPDATE SET kept_at = max(kept_at, ?3)
            """
        keepContent = "INSERT INTO \(contents) (digest, content) VALUES (?1, ?2) ON CONFLICT (digest) DO NOTHING"
        claim = "UPDATE \(files) SET kept_at = max(kept_at, ?2) WHERE digest = ?1"
        isHere = "SELECT 1 FROM \(files) WHERE digest = ?1"
        content = "SELECT content FROM \(contents) WHERE digest = ?1"
        expire = """
            DELETE FROM \(files) WHERE digest IN (
                SELECT digest FROM (
                    SELECT digest, kept_at, sum(bytes) OVER latest AS total, count(*) OVER latest AS place
                    FROM \(files) WHERE is_claimed = 0
                    WINDOW latest AS (ORDER BY kept_at DESC, digest ROWS UNBOUNDED PRECEDING))
                WHERE kept_at < ?1 OR total > ?2 OR place > ?3)
            """
    }
}
