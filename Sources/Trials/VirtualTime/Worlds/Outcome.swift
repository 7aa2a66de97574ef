/// The result of one world.
public struct Outcome: Hashable, Sendable {
    /// The course that the world was given.
    public let course: Course
    /// The way in which the world ended.
    public let ending: Ending
    /// All decisions, including the given ones.
    public let decisions: [Decision]
    /// The decisions that are not dull, with their circumstances.
    public let departures: [Departure]
    /// With a dull remainder, the possible faults about which the world asked, in order, also those that did not happen;
    /// otherwise empty.
    package let faults: [Departure]
    /// One line for each call of ``World/trace(_:)``: the virtual time, the thread, and the text.
    public let trace: String
    /// The number of lines that did not fit into the trace.
    public let droppedLines: UInt64
    /// The virtual time that passed.
    public let virtualTime: Duration
    /// Counters of the world's activity.
    public let counts: Counts

    /// The course with all decisions given, to replay or to shrink.
    public var followed: Course { course.following(departures, of: decisions.count) }
}
