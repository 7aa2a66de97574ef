public import Foundation

/// The number of quizzes, and of those that arrived before some time.
public struct QuizAges: Equatable, Sendable {
    /// The number of all quizzes.
    public let total: Int
    /// The number of quizzes that arrived before the time.
    public let older: Int
    /// The time of the latest arrival; nil if there are no quizzes.
    public let newest: Date?

    /// Creates the numbers.
    public init(total: Int, older: Int, newest: Date?) {
        self.total = total
        self.older = older
        self.newest = newest
    }
}
