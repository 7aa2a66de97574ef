/// A course that was made small.
public struct Shrunk: Hashable, Sendable {
    public let course: Course
    /// The worlds that were run for it.
    public let tries: Int
    /// False if the tries were used up before the search had come to its end.
    public let isComplete: Bool
}
