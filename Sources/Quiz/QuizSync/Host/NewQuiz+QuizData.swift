public import Foundation
public import QuizStorage

extension NewQuiz {
    /// A checked quiz as the store takes it, with its archive as it came.
    public init(_ quiz: QuizData, device: UUID, archive: Data) {
        self.init(
            identifier: quiz.identifier, device: device, title: quiz.title, takenAt: quiz.takenAt,
            answerCount: quiz.answers.count, gradePointAverage: quiz.gradePointAverage, archive: archive)
    }

    /// A checked quiz of this host's own making as the store takes it.
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
