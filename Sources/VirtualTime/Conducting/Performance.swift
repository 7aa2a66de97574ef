/// What became of several programs that ran in one virtual time.
public struct Performance: Hashable, Sendable {
    /// The course that was given.
    public let course: JointCourse
    /// The conductor's own decisions.
    public let decisions: [Decision]
    /// All processes, in the order in which they began.
    public let processes: [ProcessOutcome]
    public let virtualTime: Duration
    /// How often a program was told to go on.
    public let rounds: Int

    /// The first process that ended as a program should not.
    public var failure: ProcessOutcome? { processes.first { $0.isFailure } }

    /// The course with all of its decisions given: to replay it, or to shrink it.
    public var followed: JointCourse {
        JointCourse(
            conductor: Course(seed: course.conductor.seed, following: decisions),
            processes: processes.map(\.world.followed))
    }
}
