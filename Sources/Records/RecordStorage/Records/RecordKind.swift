/// The kind of the records in a store: the names of their table and columns.
public struct RecordKind: Sendable, Equatable {
    /// The singular name in lower-case letters, as in texts and events: “workout”.
    public let name: String
    /// The plural name in lower-case letters and digits: that of the table, of the control methods and of the command.
    public let plural: String
    /// The columns beside those of every record, in the order of ``Record/values``.
    public let columns: [RecordColumn]

    /// Creates a kind.
    public init(name: String, plural: String, columns: [RecordColumn]) {
        self.name = name
        self.plural = plural
        self.columns = columns
    }
}
