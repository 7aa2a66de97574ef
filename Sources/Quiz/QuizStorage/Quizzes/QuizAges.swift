public import Foundation

/// How many quizzes there are, and how many of them arrived before some time.
public struct QuizAges: Equatable, Sendable {
    public let total: Int
    public let older: Int
    /// When the newest of all arrived; nil if there is none.
    public let newest: Date?

    public init(total: Int, older: Int, newest: Date?) {
        self.total = total
        self.older = older
        self.newest = newest
    }
}
