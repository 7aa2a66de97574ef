package import Storage

/// The kind of the records in a store: the names of their table and columns.
///
/// The names are those of tables and columns, and stores refuse a kind with a name that cannot be one
/// (``RecordKindError``).
public struct RecordKind: Sendable, Equatable {
    /// The longest name in bytes. 40: databases allow 63 or more, and a store puts words before and behind it.
    static let nameBytes = 40

    /// The singular name in lower-case letters, as in texts and events: “workout”.
    public let name: String
    /// The plural name in lower-case letters and digits: that of the table, of the control methods and of the command.
    public let plural: String
    /// The columns beside those of every record, in the order of ``Record/values``.
    public let columns: [RecordColumn]
    /// True if a record may have a file.
    public let keepsFiles: Bool
    /// The versions of the tables in SQLite; nil for a kind whose tables began with the present shape.
    package let history: Migrations?

    /// Creates a kind whose records have no files.
    public init(name: String, plural: String, columns: [RecordColumn]) {
        self.init(name: name, plural: plural, columns: columns, keepsFiles: false)
    }

    /// Creates a kind.
    public init(name: String, plural: String, columns: [RecordColumn], keepsFiles: Bool) {
        self.init(name: name, plural: plural, columns: columns, keepsFiles: keepsFiles, history: nil)
    }

    package init(name: String, plural: String, columns: [RecordColumn], history: Migrations?) {
        self.init(name: name, plural: plural, columns: columns, keepsFiles: false, history: history)
    }

    private init(name: String, plural: String, columns: [RecordColumn], keepsFiles: Bool, history: Migrations?) {
        self.name = name
        self.plural = plural
        self.columns = columns
        self.keepsFiles = keepsFiles
        self.history = history
    }

    // MARK: - Checks

    /// The columns of every record.
    static let commonColumns: Set = [
        "sequence", "identifier", "device", "archive", "received_archive", "received_at", "updated_at", "deleted_at",
    ]
    /// The table beside those of records.
    private static let commonTable = "devices"

    /// Checks the names, which become part of SQL: each store does so before it uses them.
    package func check() throws(RecordKindError) {
        guard Self.isName(name, digits: false) else { throw .illegalName(name) }
        guard Self.isName(plural, digits: true) else { throw .illegalName(plural) }
        guard plural != Self.commonTable else { throw .reservedName(plural) }
        var known: Set<String> = []
        for column in columns {
            guard Self.isName(column.name, digits: true, underscores: true) else { throw .illegalColumn(column.name) }
            guard !Self.commonColumns.contains(column.name) else { throw .reservedColumn(column.name) }
            guard known.insert(column.name).inserted else { throw .repeatedColumn(column.name) }
        }
    }

    private static func isName(_ text: String, digits: Bool, underscores: Bool = false) -> Bool {
        let bytes = text.utf8
        guard (1...nameBytes).contains(bytes.count), let first = bytes.first, isLetter(first) else { return false }
        return bytes.allSatisfy { byte in
            isLetter(byte) || (digits && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte))
                || (underscores && byte == UInt8(ascii: "_"))
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

    /// Returns true if there is a value of the right type for each column.
    func hasTypes(of values: [RecordValue]) -> Bool {
        values.count == columns.count && zip(values, columns).allSatisfy { $0.type == $1.type }
    }

    /// Checks that a record has a value of the right type for each column.
    package func check(_ record: Record) throws(StoreError) {
        guard hasTypes(of: record.values) else {
            let wanted = columns.map { "\($0.name): \($0.type.rawValue)" }.joined(separator: ", ")
            throw StoreError(
                .refused,
                "cannot store \(name) \(record.key.identifier): its values (\(record.values.map(\.type.rawValue).joined(separator: ", "))) "
                    + "are not those of the columns (\(wanted)); correct the application's values")
        }
    }
}
