/// A difference between the files at a database's path and those of the database that belongs there.
enum DatabaseDisplacement: Equatable, Sendable, CustomStringConvertible {
    case gone
    case emptied
    /// The file is the same, but something other than SQLite wrote to it.
    case overwritten
    /// Another file has its name, or the file contains a database with another identifier.
    case replaced
    /// An earlier state of the right database: a copy that was put back, or a database whose log was lost.
    case older(end: Int64, known: Int64)
    case logGone
    case logReplaced
    case logEmptied

    var description: String {
        switch self {
        case .gone: "the database file is missing"
        case .emptied: "the database file is empty"
        case .overwritten: "a program other than SQLite overwrote the database file while it was in use"
        case .replaced: "the database file was replaced by another one"
        case .older(let end, let known):
            "the file is an older copy of the database: it ends at \(end), the lost one ended at \(known)"
        case .logGone: "its log was deleted while it was in use"
        case .logReplaced: "its log was replaced while it was in use"
        case .logEmptied: "its log was emptied while it was in use"
        }
    }
}
