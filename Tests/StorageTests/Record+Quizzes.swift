import Foundation

@testable import QuizSync
@testable import RecordStorage

/// Quizzes as the tests of stores write them.
extension Record {
    var identifier: UUID { key.identifier }
    var device: UUID { key.device }
    var title: String { QuizRow(self)?.title ?? "not a quiz" }

    init(
        identifier: UUID, device: UUID, title: String, takenAt: Date, answerCount: Int, gradePointAverage: Double,
        archive: Data
    ) {
        self.init(
            key: RecordKey(identifier, device: device),
            values: [.text(title), .date(takenAt), .integer(Int64(answerCount)), .real(gradePointAverage)],
            archive: archive)
    }
}
