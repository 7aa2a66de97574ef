import Foundation
import KeyedArchive
import QuizSync

/// The quizzes and replies that are sent: the archive of a quiz has about 900 bytes.
struct BenchQuiz: DataProvider {
    private static let questions = ["Vegetables today?", "Fruit today?", "Water today?", "Moved today?"]

    /// The payload of one quiz, ready to be sent.
    static func payload(identifier: UUID? = UUID()) throws -> Data {
        try BenchQuiz().payload(of: quiz(identifier: identifier))
    }

    /// Returns a quiz; by default with a random identifier, as other programs use them.
    static func quiz(identifier: UUID? = UUID()) -> QuizData {
        let answers = questions.enumerated().map { number, question in
            QuizAnswer(question: question, choice: "\(number + 1) servings", points: Double(number % 5))
        }
        return QuizData(
            identifier: identifier, title: "Daily nutrition", takenAt: Date(timeIntervalSince1970: 1_795_000_000),
            answers: answers)
    }

    static func acknowledgement() throws -> Data {
        try KeyedArchiver.archivedData(
            withRootObject: QuizAcknowledgement(UUID(), .stored), requiringSecureCoding: true)
    }
}
