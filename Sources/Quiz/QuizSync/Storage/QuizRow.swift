public import Foundation
public import RecordStorage

/// The columns of a quiz's record.
public struct QuizRow: Sendable, Equatable {
    /// The title.
    public let title: String
    /// The time at which the quiz was taken.
    public let takenAt: Date
    /// The number of answers.
    public let answerCount: Int
    /// The mean of the answers' points.
    public let gradePointAverage: Double

    /// Reads the columns of a record of the kind ``RecordStorage/RecordKind/quizzes``; nil for one of another kind.
    public init?(_ record: Record) {
        guard record.values.count == RecordKind.quizzes.columns.count, case .text(let title) = record.values[0],
            case .date(let takenAt) = record.values[1], case .integer(let answerCount) = record.values[2],
            case .real(let gradePointAverage) = record.values[3]
        else { return nil }
        self.title = title
        self.takenAt = takenAt
        self.answerCount = Int(answerCount)
        self.gradePointAverage = gradePointAverage
    }
}
