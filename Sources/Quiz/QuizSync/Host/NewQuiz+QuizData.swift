public import Foundation
public import QuizStorage

extension NewQuiz {
    /// Creates the stored form of a validated quiz, with its archive as received.
    public init(_ quiz: QuizData, device: UUID, archive: Data) {
        self.init(
            identifier: quiz.identifier, device: device, title: quiz.title, takenAt: quiz.takenAt,
            answerCount: quiz.answers.count, gradePointAverage: quiz.gradePointAverage, archive: archive)
    }

    /// Creates the stored form of a validated quiz that this host created. Throws ``QuizError/undecodable(_:)`` if it
    /// cannot be archived.
    public init(_ quiz: QuizData, device: UUID) throws(QuizError) {
        let archive: Data
        do {
            archive = try quiz.archivedData()
        } catch {
            throw .undecodable("\(error)")
        }
        self.init(quiz, device: device, archive: archive)
    }
}
