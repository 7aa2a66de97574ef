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
    /// The disk of a device fills up, so that no file grows, or has room again. It stays so whatever becomes of the program.
    case disk(String, isFull: Bool)
    /// The clock that shows a device the time of day is set: by so much forward, or back if it is negative. The clocks that only count on do not
    /// know of it.
    case clock(String, by: Duration)

    /// 3,660 days: ten years, to where a watch without power goes back.
    public static let farthestClock: Duration = .seconds(3_660 * 86_400)

    /// The role's name.
    public var name: String {
        switch self {
        case .start(let program): program.name
        case .kill(let name), .crash(let name, _), .end(let name), .disk(let name, _), .clock(let name, _): name
        }
    }

    /// True if it begins or ends a life of the program, and not only changes what is around it.
    var isOfLife: Bool {
        switch self {
        case .start, .kill, .crash, .end: true
        case .disk, .clock: false
        }
    }
}
