/// A kind of records whose names no store can use: they become names of tables, columns and triggers.
public enum RecordKindError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The name or the plural name has other characters than a store allows, or it is too long.
    case illegalName(String)
    /// The plural name is that of another table.
    case reservedName(String)
    /// The column's name has other characters than a store allows, or it is too long.
    case illegalColumn(String)
    /// The column's name is that of a column of every record.
    case reservedColumn(String)
    /// Two columns have this name.
    case repeatedColumn(String)

    public var description: String {
        switch self {
        case .illegalName(let name):
            "the name “\(name)” cannot be that of a kind of records: use 1 to \(RecordKind.nameBytes) lower-case "
                + "letters from a to z, and in the plural also digits after the first letter"
        case .reservedName(let name): "the plural name “\(name)” is that of a table of every store; choose another"
        case .illegalColumn(let name):
            "the name “\(name)” cannot be that of a column: use 1 to \(RecordKind.nameBytes) lower-case letters from a "
                + "to z, digits and underscores, and begin with a letter"
        case .reservedColumn(let name): "the column “\(name)” is one that every record has; choose another name"
        case .repeatedColumn(let name): "two columns have the name “\(name)”; rename one of them"
        }
    }
}
