public import Foundation

/// A quiz to be stored. The store uses these columns and never decodes the archive.
public struct NewQuiz: Sendable, Equatable {
    /// The identifier of the quiz.
    public let identifier: UUID
    /// The device on which the quiz was taken.
    public let device: UUID
    /// The title.
    public let title: String
    /// The time at which the quiz was taken; stored in milliseconds.
    public let takenAt: Date
    /// The number of answers.
    public let answerCount: Int
    /// The mean of the answers' points.
    public let gradePointAverage: Double
    /// The keyed archive, as received.
    public let archive: Data

    /// Creates a quiz from its columns.
    public init(
        identifier: UUID, device: UUID, title: String, takenAt: Date, answerCount: Int, gradePointAverage: Double,
        archive: Data
    ) {
        self.identifier = identifier
        self.device = device
        self.title = title
        self.takenAt = takenAt
        self.answerCount = answerCount
        self.gradePointAverage = gradePointAverage
        self.archive = archive
    }
}
