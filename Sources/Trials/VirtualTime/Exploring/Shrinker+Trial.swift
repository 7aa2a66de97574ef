extension Shrinker {
    /// What came of one run of a course.
    public struct Trial: Sendable {
        /// The decisions that the world took.
        public let decisions: [Decision]
        /// True if it failed in the same way as the course that is being made small.
        public let fails: Bool

        public init(decisions: [Decision], fails: Bool) { (self.decisions, self.fails) = (decisions, fails) }
    }

    /// What came of one run of several worlds together.
    struct Trials<Part: Hashable> {
        /// The courses that they took.
        let courses: [Part: Course]
        let fails: Bool
    }
}
