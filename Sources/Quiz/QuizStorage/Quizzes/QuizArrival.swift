public import Foundation

/// A quiz with its time of arrival at a host: now, or for an imported quiz at the host that received it first.
public struct QuizArrival: Sendable, Equatable {
    /// The quiz.
    public let quiz: NewQuiz
    /// The time of arrival.
    public let receivedAt: Date

    /// Creates an arrival.
    public init(_ quiz: NewQuiz, receivedAt: Date) { (self.quiz, self.receivedAt) = (quiz, receivedAt) }
}
