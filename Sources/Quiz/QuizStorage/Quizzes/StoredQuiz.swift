public import Foundation

/// A stored quiz.
public struct StoredQuiz: Sendable, Equatable {
    /// The sequence number in the order of arrival: ascending, with gaps, never reused.
    public let sequence: Int64
    /// The quiz.
    public let content: NewQuiz
    /// The time of arrival.
    public let receivedAt: Date
    /// The time of the last change on this host; nil if it was never changed.
    public let updatedAt: Date?

    /// Creates a stored quiz.
    public init(sequence: Int64, content: NewQuiz, receivedAt: Date, updatedAt: Date?) {
        self.sequence = sequence
        self.content = content
        self.receivedAt = receivedAt
        self.updatedAt = updatedAt
    }
}
