/// Something that is done to the programs of a performance.
public enum Deed: Hashable, Sendable {
    /// A program starts. If one of its name ran before and has ended, it finds what that left in its directory: that is a restart, or, with
    /// another executable, an upgrade.
    case start(Program)
    /// SIGKILL, at an instant at which the program waits, for the program of a name and all processes that it started.
    case kill(String)
    /// SIGKILL in the midst of what the program of a name does from then on: at the so-many-th place, counted from 1, where a thread of it may be
    /// interrupted.
    case crash(String, step: UInt64)
    /// SIGTERM for the program of a name: it is asked to end.
    case end(String)

    /// The role's name.
    public var name: String {
        switch self {
        case .start(let program): program.name
        case .kill(let name), .crash(let name, _), .end(let name): name
        }
    }
}
