public import Foundation
public import Storage

extension NewQuiz {
    /// A checked quiz as the store takes it. Its archive is made anew, so that equal content has equal bytes, whoever sent it.
    public init(_ quiz: QuizData, device: UUID) throws(QuizError) {
        let archive: Data
        do {
            archive = try quiz.archivedData()
        } catch {
            throw .undecodable("\(error)")
        }
        self.init(
            identifier: quiz.identifier, device: device, title: quiz.title, takenAt: quiz.takenAt,
            answerCount: quiz.answers.count, gradePointAverage: quiz.gradePointAverage, archive: archive)
    }
}
