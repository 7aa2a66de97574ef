/// How the files at a database's path differ from those of the database that belongs there.
enum DatabaseDisplacement: Equatable, Sendable, CustomStringConvertible {
    case gone
    case emptied
    /// The file is the same one, and something other than SQLite wrote to it.
    case overwritten
    /// Another file has its name, or a database of another identity is in it.
    case replaced
    /// The right database at an earlier time: a copy that was put back, or one whose log was lost.
    case older(end: Int64, known: Int64)
    case logGone
    case logReplaced
    case logEmptied

    var description: String {
        switch self {
        case .gone: "the database that was here is gone"
        case .emptied: "the database that was here is empty now"
        case .overwritten: "something other than SQLite wrote over the database that was here, while it was in use"
        case .replaced: "another file is in the place of the database that was here"
        case .older(let end, let known):
            "it is an older copy of the database that was here: it ends at \(end), that one ended at \(known)"
        case .logGone: "its log was deleted while it was in use"
        case .logReplaced: "its log was replaced while it was in use"
        case .logEmptied: "its log was emptied while it was in use"
        }
    }
}
