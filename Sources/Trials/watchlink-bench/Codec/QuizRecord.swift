import Foundation

/// ``BenchmarkQuiz`` as a plain value, for Codable encoders.
struct QuizRecord: Codable {
    let title: String
    let date: Date
    let score: Double
    let answers: [Int]

    init(_ quiz: BenchmarkQuiz) {
        title = quiz.title
        date = quiz.date
        score = quiz.score
        answers = quiz.answers
    }
}
