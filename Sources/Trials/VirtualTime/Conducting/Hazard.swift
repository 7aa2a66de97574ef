/// The random trouble for a program and its device: the decisions of a performance can kill the program at any instant
/// and restart it later, fill its disk for a while, and set its clock.
///
/// A script contains the certain actions, a hazard the possible ones. Dull decisions cause no trouble, so a shrunk
/// failure has only the trouble it needs.
public struct Hazard: Hashable, Sendable {
    /// The role of the program.
    public let name: String
    /// The most kills.
    public let kills: Int
    /// The range of the time between a kill and the restart.
    public let pause: ClosedRange<Duration>
    /// The time from which on the program is neither killed nor away, its disk has space, and its clock is not set; nil
    /// for the script's end.
    public let until: Duration?
    /// The most periods with a full disk.
    public let diskFills: Int
    /// The most changes of the clock.
    public let clockJumps: Int

    /// True if a kill can be a power cut, which also loses writes that were not synchronized.
    public let cutsPower: Bool

    /// The default pause, 1 ms to two minutes: from an app that restarts immediately to a device that reboots.
    public static let usualPause: ClosedRange<Duration> = .milliseconds(1)...(.seconds(120))
    /// The most kills allowed, 1,000: each adds a process with its own course.
    public static let mostKills = 1_000

    /// The most full disks or clock changes allowed, 1,000: more than one in four seconds of an hour shows nothing new.
    public static let mostTroubles = 1_000

    /// Creates a hazard for the program with this name.
    public init(
        _ name: String, kills: Int = 1, pause: ClosedRange<Duration> = Self.usualPause, until: Duration? = nil,
        diskFills: Int = 0, clockJumps: Int = 0, cutsPower: Bool = false
    ) {
        (self.name, self.kills, self.pause, self.until) = (name, kills, pause, until)
        (self.diskFills, self.clockJumps) = (diskFills, clockJumps)
        self.cutsPower = cutsPower
    }
}
