/// Everything that determines a performance: the conductor's course, and that of each process.
public struct JointCourse: Hashable, Sendable {
    /// The conductor's course, which decides which of several programs runs first, and what hazards do.
    public var conductor: Course
    /// The given courses. A life keeps its course whatever happens to other programs.
    public var processes: [Life: Course]
    /// The strategy of processes without a given course.
    public var strategy: Strategy
    /// The source of the decisions of processes without a given course.
    public var remainder: Course.Remainder

    /// Creates a course without given decisions: the seed decides everything.
    public init(seed: UInt64, strategy: Strategy = .random) {
        (conductor, processes, self.strategy, remainder) = (Course(seed: seed), [:], strategy, .drawn)
    }

    /// Creates a course from given courses; all other processes get dull ones.
    public init(conductor: Course, processes: [Life: Course]) {
        (self.conductor, self.processes, strategy, remainder) = (conductor, processes, .random, .dull)
    }

    /// The seed of the performance.
    public var seed: UInt64 { conductor.seed }

    /// Returns the course of a process.
    public func course(of life: Life) -> Course {
        if let course = processes[life] { return course }
        // Each process has its own seed, which depends only on the performance's seed, the name and the number.
        var state = seed
        for byte in life.name.utf8 { state = DecisionSource.next(&state) ^ UInt64(byte) }
        state = DecisionSource.next(&state) ^ UInt64(truncatingIfNeeded: life.number)
        var course = Course(seed: DecisionSource.next(&state), strategy: strategy)
        course.remainder = remainder
        return course
    }
}
