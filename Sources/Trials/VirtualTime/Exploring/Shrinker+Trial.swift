extension Shrinker {
    /// The result of running one course.
    public struct Trial: Sendable {
        /// The decisions that the world took.
        public let decisions: [Decision]
        /// True if it failed in the same way as the course being shrunk.
        public let fails: Bool

        /// Creates a result.
        public init(decisions: [Decision], fails: Bool) { (self.decisions, self.fails) = (decisions, fails) }
    }

    /// The result of running several worlds together.
    struct Trials<Part: Hashable> {
        /// The courses that the worlds took.
        let courses: [Part: Course]
        let fails: Bool
        /// True if no further run is wanted.
        var isLast = false
    }
}
