/// The SQL of a store, made once from its kind. The names are checked before; brackets allow those that are words of
/// SQL, and unlike quotation marks never make a text of a name.
struct RecordStatements: Sendable {
    let place, isDeleted, insert, compare: String
    let receivedArchive, update, delete, remember, expire: String
    let withIdentifier, afterSequence, latest, count, ages: String
    let state, deletions: String
    let files: RecordFileStatements

    /// The parameter of a record's first column, after its identifier and device.
    static let firstColumn: Int32 = 3

    init(_ kind: RecordKind) {
        let (table, deleted) = ("[\(kind.plural)]", "[deleted_\(kind.plural)]")
        let names = kind.columns.map { "[\($0.name)]" }
        let first = Int(Self.firstColumn)
        let (archive, time, sequence) = (first + names.count, first + names.count + 1, first + names.count + 2)
        let list = names.map { "\($0), " }.joined()
        let isIt = "identifier = ?1 AND device = (SELECT number FROM devices WHERE identifier = ?2)"
        let device = "(SELECT identifier FROM devices WHERE number = device)"
        let file = kind.keepsFiles ? ", \(RecordFileTables.column)" : ""
        let columns =
            "sequence, identifier, \(device), archive, received_at, updated_at\(names.map { ", \($0)" }.joined())\(file)"
        files = RecordFileStatements(kind)

        place = """
            SELECT max((SELECT coalesce(max(sequence), 0) FROM \(table)), sequence),
                EXISTS (SELECT 1 FROM \(deleted)) FROM last_deleted
            """
        isDeleted = "SELECT 1 FROM \(deleted) WHERE identifier = ?1 AND device = ?2"
        insert = """
            INSERT INTO \(table) (identifier, device, \(list)archive, received_at, sequence\(file))
            VALUES (\((1...(kind.keepsFiles ? sequence + 1 : sequence)).map { "?\($0)" }.joined(separator: ", "))) ON CONFLICT (identifier, device) DO NOTHING
            """
        compare = "SELECT coalesce(received_archive, archive) = ?3 FROM \(table) WHERE identifier = ?1 AND device = ?2"
        receivedArchive = "SELECT coalesce(received_archive, archive) FROM \(table) WHERE \(isIt)"
        update = """
            UPDATE \(table) SET \(names.enumerated().map { "\($1) = ?\(first + $0), " }.joined())
                received_archive = coalesce(received_archive, archive), archive = ?\(archive), updated_at = ?\(time)
            WHERE \(isIt)
            """
        state = "SELECT archive, received_archive, updated_at FROM \(table) WHERE \(isIt)"
        deletions = """
            SELECT identifier, \(device), deleted_at FROM \(deleted)
            WHERE (identifier, device) > (?1, coalesce((SELECT number FROM devices WHERE identifier = ?2), 0))
            ORDER BY identifier, device LIMIT ?3
            """
        delete = "DELETE FROM \(table) WHERE \(isIt)"
        remember = "INSERT OR REPLACE INTO \(deleted) SELECT ?1, number, ?3 FROM devices WHERE identifier = ?2"
        expire = """
            DELETE FROM \(table) WHERE sequence IN (
                SELECT sequence FROM \(table)
                WHERE received_at < ?1
                    OR sequence <= (SELECT sequence FROM \(table) ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
                ORDER BY sequence LIMIT ?3)
            RETURNING identifier, \(device)
            """
        withIdentifier = "SELECT \(columns) FROM \(table) WHERE identifier = ?1 ORDER BY sequence"
        afterSequence = "SELECT \(columns) FROM \(table) WHERE sequence > ?1 ORDER BY sequence LIMIT ?2"
        latest = "SELECT \(columns) FROM \(table) ORDER BY sequence DESC LIMIT ?1"
        count = "SELECT count(*) FROM \(table)"
        ages = "SELECT count(*), total(received_at < ?1), max(received_at) FROM \(table)"
    }
}
