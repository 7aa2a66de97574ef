public import Foundation

/// A quiz as it arrives at the store. The store looks at its columns, never into its archive.
public struct NewQuiz: Sendable, Equatable {
    public let identifier: UUID
    /// The device that took it.
    public let device: UUID
    public let title: String
    public let takenAt: Date
    public let answerCount: Int
    public let gradePointAverage: Double
    /// The keyed archive, as it came.
    public let archive: Data

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
