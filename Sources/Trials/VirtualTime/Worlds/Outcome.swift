/// What became of one world.
public struct Outcome: Hashable, Sendable {
    /// The course that it was given.
    public let course: Course
    public let ending: Ending
    /// All decisions, the given ones included.
    public let decisions: [Decision]
    /// Those of them that are not dull, with their circumstances.
    public let departures: [Departure]
    /// A line for each ``World/trace(_:)``: the virtual time, the thread, and the text.
    public let trace: String
    /// Lines for which the trace had no room.
    public let droppedLines: UInt64
    /// The virtual time that passed.
    public let virtualTime: Duration
    public let counts: Counts

    /// The course with all of its decisions given: to replay it, or to shrink it.
    public var followed: Course { course.following(departures, of: decisions.count) }
}
