public import Foundation

/// A quiz, and when it arrived at a host: now, or, of one that is imported, at the host that took it first.
public struct QuizArrival: Sendable, Equatable {
    public let quiz: NewQuiz
    public let receivedAt: Date

    public init(_ quiz: NewQuiz, receivedAt: Date) { (self.quiz, self.receivedAt) = (quiz, receivedAt) }
}
