/// What the decisions of a performance may do to a program: kill it at any instant, and start it again a while later.
///
/// The script says what is done for certain, and a hazard what may be done. Of dull decisions nothing comes, so a failure that is made small has
/// only those kills left that it needs.
public struct Hazard: Hashable, Sendable {
    /// The role of the program.
    public let name: String
    /// How often it is killed at most.
    public let kills: Int
    /// For how long it is away.
    public let pause: ClosedRange<Duration>
    /// From then on it is not killed and not away; nil for the script's end.
    public let until: Duration?

    /// 1 ms to two minutes: from an app that starts again at once to a device that does.
    public static let usualPause: ClosedRange<Duration> = .milliseconds(1)...(.seconds(120))
    /// 1,000: each is a process with a course of its own.
    public static let mostKills = 1_000

    public init(
        _ name: String, kills: Int = 1, pause: ClosedRange<Duration> = Self.usualPause, until: Duration? = nil
    ) {
        (self.name, self.kills, self.pause, self.until) = (name, kills, pause, until)
    }
}
