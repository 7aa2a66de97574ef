/// All that decides what happens in a performance: the conductor's course, and that of each process that begins.
public struct JointCourse: Hashable, Sendable {
    /// The conductor decides which of several programs goes on first.
    public var conductor: Course
    /// Courses that are given, for the first processes that begin, in that order.
    public var processes: [Course]
    /// The rule by which those of the others are drawn.
    public var strategy: Strategy
    /// The source of the decisions of processes without a given course.
    public var remainder: Course.Remainder

    /// A course of which nothing is given: the seed decides all.
    public init(seed: UInt64, strategy: Strategy = .random) {
        (conductor, processes, self.strategy, remainder) = (Course(seed: seed), [], strategy, .drawn)
    }

    /// A course that is given; processes that it does not know get dull ones.
    public init(conductor: Course, processes: [Course]) {
        (self.conductor, self.processes, strategy, remainder) = (conductor, processes, .random, .dull)
    }

    public var seed: UInt64 { conductor.seed }

    /// The course of the process that begins as the one of a number, from 0.
    public func course(ofProcess number: Int) -> Course {
        if processes.indices.contains(number) { return processes[number] }
        // Each has a seed of its own, which depends on nothing but the seed and the number.
        var state = seed ^ (UInt64(truncatingIfNeeded: number) &+ 1) &* 0xD134_2543_DE82_EF95
        var course = Course(seed: DecisionSource.next(&state), strategy: strategy)
        course.remainder = remainder
        return course
    }
}
