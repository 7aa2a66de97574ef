public import Foundation

/// A quiz as the store holds it.
public struct StoredQuiz: Sendable, Equatable {
    /// The order of arrival: ascending, with gaps, never used twice.
    public let sequence: Int64
    public let content: NewQuiz
    public let receivedAt: Date
    /// When it was last changed here; nil if never.
    public let updatedAt: Date?

    public init(sequence: Int64, content: NewQuiz, receivedAt: Date, updatedAt: Date?) {
        self.sequence = sequence
        self.content = content
        self.receivedAt = receivedAt
        self.updatedAt = updatedAt
    }
}
