/// What was put right about a database's files when it was opened or used.
public enum DatabaseRepair: Equatable, Sendable, CustomStringConvertible {
    /// The log was deleted while the database was in use; what it held was written into the file, and nothing is lost.
    case logRewritten
    /// The database was emptied or written over while it was in use: its log fits nothing that is there, and has this name now.
    case logPutAside(name: String)
    /// A restore was interrupted after it had taken place; the former database is kept under this name.
    case restoreFinished(formerName: String)
    /// A restore was interrupted before it had taken place; the database is the former one, and unchanged.
    case restoreUndone

    public var description: String {
        switch self {
        case .logRewritten: "its log was deleted while it was in use; what it held is in the file now"
        case .logPutAside(let name):
            "it was emptied or written over while it was in use; its log, which fits nothing that is there, is \(name) now"
        case .restoreFinished(let name):
            "a restore was interrupted after it had taken place; the former database is \(name)"
        case .restoreUndone: "a restore was interrupted before it had taken place; the database is unchanged"
        }
    }
}
