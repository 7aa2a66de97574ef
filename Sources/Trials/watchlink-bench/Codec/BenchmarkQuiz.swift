import Foundation
import KeyedArchive

/// A small quiz of a typical user: a title, a date, a score and the numbers of the answers. 483 bytes archived.
final class BenchmarkQuiz: NSObject, NSSecureCoding, ArchiveNaming {
    let title: String
    let date: Date
    let score: Double
    let answers: [Int]

    init(title: String, date: Date, score: Double, answers: [Int]) {
        self.title = title
        self.date = date
        self.score = score
        self.answers = answers
        super.init()
    }

    /// - Parameter number: A number that makes the quiz differ from others.
    convenience init(number: Int) {
        self.init(
            title: "Daily quiz \(number)",
            date: Date(timeIntervalSinceReferenceDate: 800_000_000.5 + Double(number)),
            score: Double(number % 41) / 10, answers: (0..<7).map { 1 + (number * (7 + $0) + $0) % 9_973 })
    }

    static let archiveName = "QuizData"
    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(title, forKey: "title")
        coder.encode(date, forKey: "date")
        coder.encode(score, forKey: "score")
        coder.encode(answers, forKey: "answers")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeString(forKey: "title"), let date = coder.decodeDate(forKey: "date"),
            let answers = coder.decodeArray(of: Int.self, forKey: "answers")
        else { return nil }
        self.title = title
        self.date = date
        self.answers = answers
        score = coder.decodeDouble(forKey: "score")
        super.init()
    }
}
