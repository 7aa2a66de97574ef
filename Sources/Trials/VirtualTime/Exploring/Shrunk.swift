/// The result of shrinking a course.
public struct Shrunk: Hashable, Sendable {
    /// The smallest failing course found.
    public let course: Course
    /// The number of worlds that were run.
    public let tries: Int
    /// False if the tries ran out before the search was complete.
    public let isComplete: Bool
}
