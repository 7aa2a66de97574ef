/// What the decisions of a performance may do to a program and its device: kill it at any instant, and start it again a while later; fill its disk
/// for a while; set its clock.
///
/// The script says what is done for certain, and a hazard what may be done. Of dull decisions nothing comes, so a failure that is made small has
/// only those troubles left that it needs.
public struct Hazard: Hashable, Sendable {
    /// The role of the program.
    public let name: String
    /// How often it is killed at most.
    public let kills: Int
    /// For how long it is away.
    public let pause: ClosedRange<Duration>
    /// From then on it is not killed and not away, its disk has room, and nobody sets its clock; nil for the script's end.
    public let until: Duration?
    /// How often its disk fills up at most.
    public let diskFills: Int
    /// How often its clock is set at most.
    public let clockJumps: Int

    /// 1 ms to two minutes: from an app that starts again at once to a device that does.
    public static let usualPause: ClosedRange<Duration> = .milliseconds(1)...(.seconds(120))
    /// 1,000: each is a process with a course of its own.
    public static let mostKills = 1_000

    /// 1,000: more than one every four seconds of an hour shows nothing new.
    public static let mostTroubles = 1_000

    public init(
        _ name: String, kills: Int = 1, pause: ClosedRange<Duration> = Self.usualPause, until: Duration? = nil,
        diskFills: Int = 0, clockJumps: Int = 0
    ) {
        (self.name, self.kills, self.pause, self.until) = (name, kills, pause, until)
        (self.diskFills, self.clockJumps) = (diskFills, clockJumps)
    }
}
