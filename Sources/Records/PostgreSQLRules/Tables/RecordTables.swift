package import RecordStorage

/// The SQL of one kind of records.
///
/// It uses nothing that servers with PostgreSQL's protocol do not share: no advisory locks, notifications, sequences or
/// functions of one engine.
package struct RecordTables: Sendable {
    /// The version of the tables. 2: insertions do not change the rows of hosts, as those of version 1 did.
    package static let version: Int32 = 2

    package let kind: RecordKind
    let table: String
    let view: String
    /// The table of the files that belong to records.
    let files: String
    private let index: String
    /// The names of the columns of this kind alone, each after a comma.
    let columnNames: String
    /// The text of ``insertOne(_:digest:host:sequence:)``, made once: records mostly come alone.
    let insertionOfOne: String

    /// The columns of every kind.
    private static let common: Set = [
        "identifier", "device", "host", "sequence", "digest", "archive", "received_archive", "received_at",
        "updated_at", "deleted_at", "archive_bytes", "position",
        fileColumn,
    ]
    /// The longest name. 40: with the prefixes of the view and the index it stays below PostgreSQL's 63 bytes.
    private static let longestName = 40

    /// Checks the names of a kind.
    package init(_ kind: RecordKind) throws(StoreError) {
        for name in [kind.plural] + kind.columns.map(\.name) { try Self.check(name, of: kind) }
        guard Set(kind.columns.map(\.name)).count == kind.columns.count else {
            throw StoreError(.refused, "the kind “\(kind.name)” has two columns of the same name; rename one")
        }
        self.kind = kind
        table = "\"\(kind.plural)\""
        view = "\"readable_\(kind.plural)\""
        // A kind's plural has no underscore.
        files = "\"files_\(kind.plural)\""
        index = "\"\(kind.plural)_received_at\""
        let columns = kind.columns.map { ", \"\($0.name)\"" } + (kind.keepsFiles ? [", \(Self.fileColumn)"] : [])
        columnNames = columns.joined()
        // The columns that every kind has, and the kind's own.
        let places = (1...7 + columns.count).map { "$\($0)" }.joined(separator: ", ")
        insertionOfOne = """
            INSERT INTO \(table) (identifier, device, received_at, digest, archive, host, sequence\(columnNames))
            VALUES (\(places))
            """
    }

    private static func check(_ name: String, of kind: RecordKind) throws(StoreError) {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard isPlain, name.utf8.first.map({ $0 > UInt8(ascii: "9") }) == true, name.utf8.count <= longestName else {
            throw StoreError(
                .refused,
                "the kind “\(kind.name)” has the name “\(name)” for its table or a column; use up to \(longestName) lower-case letters, digits and underscores, a letter first"
            )
        }
        guard name != kind.plural || !name.hasPrefix("watchlink_") else {
            throw StoreError(
                .refused, "tables whose names begin with “watchlink_” belong to the store; rename the kind")
        }
        guard name == kind.plural || !common.contains(name) else {
            throw StoreError(
                .refused, "the kind “\(kind.name)” has a column “\(name)”, as every kind has; rename it")
        }
    }

    /// The columns as the schema's table has them: “title:text,grade:real”.
    package var signature: String {
        kind.columns.map { "\($0.name):\($0.type.rawValue)" }.joined(separator: ",")
    }

    // MARK: - Schema

    /// The tables that all kinds share. They are created without a lock, which they hold themselves; a race is
    /// repeated.
    package static let shared = [
        ServerStatement(
            """
            CREATE TABLE IF NOT EXISTS watchlink_schema (
                kind text PRIMARY KEY, version integer NOT NULL, columns text NOT NULL)
            """, isRepeated: false),
        ServerStatement(
            """
            CREATE TABLE IF NOT EXISTS watchlink_writers (
                kind text NOT NULL, number integer NOT NULL, name text NOT NULL, settled bigint NOT NULL,
                records bigint NOT NULL, PRIMARY KEY (kind, number), UNIQUE (kind, name))
            """, isRepeated: false),
    ]

    /// Finds the column of version 1 whose name the next statement changes: a program of version 1 that still runs would
    /// count wrongly, and give numbers again.
    package static let findEarlierColumn = ServerStatement(
        """
        SELECT 1::bigint FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false))
            AND table_name = 'watchlink_writers' AND column_name = 'last_sequence'
        """, isRepeated: false)
    package static let renameEarlierColumn = ServerStatement(
        "ALTER TABLE watchlink_writers RENAME COLUMN last_sequence TO settled", isRepeated: false)

    /// Finds version and columns; fails with 42P01 if there are no tables at all.
    package var readSchema: ServerStatement {
        ServerStatement(
            "SELECT version, columns FROM watchlink_schema WHERE kind = $1", [.text(kind.plural)], isRepeated: false)
    }

    /// Makes the row that is the kind's lock.
    package var addSchema: ServerStatement {
        ServerStatement(
            "INSERT INTO watchlink_schema (kind, version, columns) VALUES ($1, 0, '') ON CONFLICT (kind) DO NOTHING",
            [.text(kind.plural)], isRepeated: false)
    }

    /// Reads the same as ``readSchema``, and keeps others from changing it until the transaction's end.
    package var lockSchema: ServerStatement {
        ServerStatement(
            "SELECT version, columns FROM watchlink_schema WHERE kind = $1 FOR UPDATE", [.text(kind.plural)],
            isRepeated: false)
    }

    /// The statements that bring the tables to this version and these columns.
    ///
    /// - Parameter present: The number of the kind's columns that the table has; nil if there is no table.
    package func migration(fromColumns present: Int?) -> [ServerStatement] {
        var texts: [String] = []
        if let present {
            texts += kind.columns[present...].map { column in
                "ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS \"\(column.name)\" \(Self.type(column))"
            }
        } else {
            texts.append(
                """
                CREATE TABLE IF NOT EXISTS \(table) (
                    identifier uuid NOT NULL, device uuid NOT NULL, host integer NOT NULL, sequence bigint NOT NULL,
                    received_at bigint NOT NULL, updated_at bigint, deleted_at bigint, digest bytea NOT NULL,
                    archive bytea NOT NULL, received_archive bytea\(kind.columns.map { ", \"\($0.name)\" \(Self.type($0))" }.joined()),
                    PRIMARY KEY (identifier, device), UNIQUE (host, sequence))
                """)
            texts.append(
                "CREATE INDEX IF NOT EXISTS \(index) ON \(table) (received_at, host, sequence) WHERE deleted_at IS NULL"
            )
        }
        texts.append("DROP VIEW IF EXISTS \(view)")
        texts.append(readable)
        return texts.map { ServerStatement($0, isRepeated: false) } + [
            ServerStatement(
                "UPDATE watchlink_schema SET version = $2, columns = $3 WHERE kind = $1",
                [.text(kind.plural), .number(Self.version), .text(signature)], isRepeated: false)
        ]
    }

    private static func type(_ column: RecordColumn) -> String {
        switch column.type {
        case .text: "text"
        case .integer, .date: "bigint"
        case .real: "double precision"
        }
    }

    /// The view for people: times as such, and no archives. A time beyond the years of PostgreSQL is shown as nothing.
    private var readable: String {
        func time(_ name: String) -> String {
            // The years 1 to 9999.
            "CASE WHEN \(name) BETWEEN -62135596800000 AND 253402300799999 THEN to_timestamp(\(name) / 1000.0) END AS \(name)"
        }
        let columns = kind.columns.map { column in
            column.type == .date ? ", \(time("\"\(column.name)\""))" : ", \"\(column.name)\""
        }
        return """
            CREATE VIEW \(view) AS SELECT host, sequence, identifier, device\(columns.joined()),
                octet_length(archive) AS archive_bytes, \(time("received_at")), \(time("updated_at"))
            FROM \(table) WHERE deleted_at IS NULL
            """
    }
}
