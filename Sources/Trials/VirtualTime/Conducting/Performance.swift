/// What became of several programs that ran in one virtual time.
public struct Performance: Hashable, Sendable {
    /// The course that was given.
    public let course: JointCourse
    /// The conductor's own decisions.
    public let decisions: [Decision]
    /// Those of them that are not dull, with their circumstances.
    public let departures: [Departure]
    /// What hazards did to the programs, in the order of the times.
    public let deeds: [Script.Line]
    /// All processes, in the order in which they began.
    public let processes: [ProcessOutcome]
    public let virtualTime: Duration
    /// How often a program was told to go on.
    public let rounds: Int

    /// The process that was the first to end as a program should not.
    public var failure: ProcessOutcome? {
        processes.filter(\.isFailure).min { $0.span.upperBound < $1.span.upperBound }
    }

    /// The process that took the place of one that had ended, if any did.
    package func successor(of process: ProcessOutcome) -> ProcessOutcome? {
        processes.first { $0.life == Life(process.name, process.life.number + 1) }
    }

    /// The course with all of its decisions given: to replay it, or to shrink it.
    public var followed: JointCourse {
        JointCourse(
            conductor: course.conductor.following(departures, of: decisions.count),
            processes: Dictionary(uniqueKeysWithValues: processes.map { ($0.life, $0.world.followed) }))
    }
}
