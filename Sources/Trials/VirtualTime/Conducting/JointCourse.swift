/// All that decides what happens in a performance: the conductor's course, and that of each process that begins.
public struct JointCourse: Hashable, Sendable {
    /// The conductor decides which of several programs goes on first.
    public var conductor: Course
    /// Courses that are given. A life has the same whatever becomes of other programs.
    public var processes: [Life: Course]
    /// The rule by which those of the others are drawn.
    public var strategy: Strategy
    /// The source of the decisions of processes without a given course.
    public var remainder: Course.Remainder

    /// A course of which nothing is given: the seed decides all.
    public init(seed: UInt64, strategy: Strategy = .random) {
        (conductor, processes, self.strategy, remainder) = (Course(seed: seed), [:], strategy, .drawn)
    }

    /// A course that is given; processes that it does not know get dull ones.
    public init(conductor: Course, processes: [Life: Course]) {
        (self.conductor, self.processes, strategy, remainder) = (conductor, processes, .random, .dull)
    }

    public var seed: UInt64 { conductor.seed }

    /// The course of a process.
    public func course(of life: Life) -> Course {
        if let course = processes[life] { return course }
        // Each has a seed of its own, which depends on nothing but the seed, the name and the number.
        var state = seed
        for byte in life.name.utf8 { state = DecisionSource.next(&state) ^ UInt64(byte) }
        state = DecisionSource.next(&state) ^ UInt64(truncatingIfNeeded: life.number)
        var course = Course(seed: DecisionSource.next(&state), strategy: strategy)
        course.remainder = remainder
        return course
    }
}
