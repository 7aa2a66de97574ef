/// The result of several programs that ran in one virtual time.
public struct Performance: Hashable, Sendable {
    /// The course that was given.
    public let course: JointCourse
    /// The conductor's own decisions.
    public let decisions: [Decision]
    /// The conductor's decisions that are not dull, with their circumstances.
    public let departures: [Departure]
    /// The deeds of hazards, ordered by time.
    public let deeds: [Script.Line]
    /// All processes, in the order in which they began.
    public let processes: [ProcessOutcome]
    /// The virtual time that passed.
    public let virtualTime: Duration
    /// The number of turns that the conductor gave to programs; those that a program took by itself are not counted.
    public let rounds: Int

    /// The first process that failed, if any did.
    public var failure: ProcessOutcome? {
        processes.filter(\.isFailure).min { $0.span.upperBound < $1.span.upperBound }
    }

    /// Returns the process that replaced one that had ended, if there is one.
    package func successor(of process: ProcessOutcome) -> ProcessOutcome? {
        processes.first { $0.life == Life(process.name, process.life.number + 1) }
    }

    /// The course with all decisions given, to replay or to shrink.
    public var followed: JointCourse {
        JointCourse(
            conductor: course.conductor.following(departures, of: decisions.count),
            processes: Dictionary(uniqueKeysWithValues: processes.map { ($0.life, $0.world.followed) }))
    }
}
