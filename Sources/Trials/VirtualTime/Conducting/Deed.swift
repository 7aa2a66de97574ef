/// An action on a program of a performance, or on its device.
public enum Deed: Hashable, Sendable {
    /// Starts a program. If an earlier program of its name has ended, the new one finds its predecessor's files in its
    /// directory: a restart or, with another executable, an upgrade.
    case start(Program)
    /// Sends SIGKILL, at an instant at which the program waits, to the named program and all processes that it started.
    case kill(String)
    /// Sends SIGKILL while the named program is running: at the given step, counted from 1, where a step is a point at
    /// which one of its threads can be interrupted.
    case crash(String, step: UInt64)
    /// Cuts the device's power: sends SIGKILL to the named program, and loses all writes and renames in its home that
    /// were neither synchronized nor old enough to be written out by the system.
    case cutPower(String)
    /// Sends SIGTERM to the named program.
    case end(String)
    /// Fills a device's disk, so that no file can grow, or frees space. The state outlasts the program.
    case disk(String, isFull: Bool)
    /// Shifts the device's time-of-day clock: forward, or back if the duration is negative. Monotonic clocks are not
    /// affected.
    case clock(String, by: Duration)

    /// The farthest a clock can be shifted, 3,660 days: ten years, as when a watch loses power.
    public static let farthestClock: Duration = .seconds(3_660 * 86_400)

    /// The name of the role.
    public var name: String {
        switch self {
        case .start(let program): program.name
        case .kill(let name), .cutPower(let name), .crash(let name, _), .end(let name), .disk(let name, _),
            .clock(let name, _):
            name
        }
    }

    /// True if the deed begins or ends a life of the program rather than changing its surroundings.
    var isOfLife: Bool {
        switch self {
        case .start, .kill, .cutPower, .crash, .end: true
        case .disk, .clock: false
        }
    }
}
