/// A repair of a database's files, made when it was opened or used.
public enum DatabaseRepair: Equatable, Sendable, CustomStringConvertible {
    /// The log was deleted while in use; its content was written into the database file, and nothing was lost.
    case logRewritten
    /// The database was emptied or overwritten while in use: its log no longer fits and was renamed to this name.
    case logPutAside(name: String)
    /// A restore was interrupted after the replacement; the previous database is kept under this name.
    case restoreFinished(formerName: String)
    /// A restore was interrupted before the replacement; the database is unchanged.
    case restoreUndone

    public var description: String {
        switch self {
        case .logRewritten: "its log was deleted while in use; the log's content was written into the database file"
        case .logPutAside(let name):
            "it was emptied or overwritten while in use; its log no longer fits and was renamed to \(name)"
        case .restoreFinished(let name):
            "a restore was interrupted after the replacement and is complete; the former database is \(name)"
        case .restoreUndone: "a restore was interrupted before the replacement; the database is unchanged"
        }
    }
}
