import Foundation
import KeyedArchive

/// ``BenchmarkQuiz`` as code for Apple's platforms spells it: with objects of Foundation, under the same keys.
final class AppleQuiz: NSObject, NSSecureCoding, ArchiveNaming {
    let title: String
    let date: Date
    let score: Double
    let answers: [Int]

    init(_ quiz: BenchmarkQuiz) {
        title = quiz.title
        date = quiz.date
        score = quiz.score
        answers = quiz.answers
        super.init()
    }

    static let archiveName = "QuizData"
    static var supportsSecureCoding: Bool { true }

    func encode(with coder: NSCoder) {
        coder.encode(title as NSString, forKey: "title")
        coder.encode(date as NSDate, forKey: "date")
        coder.encode(score, forKey: "score")
        coder.encode(answers.map { NSNumber(value: $0) } as NSArray, forKey: "answers")
    }

    init?(coder: NSCoder) {
        guard let title = coder.decodeObject(of: NSString.self, forKey: "title"),
            let date = coder.decodeObject(of: NSDate.self, forKey: "date"),
            let answers = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "answers") as? [NSNumber]
        else { return nil }
        self.title = title as String
        self.date = date as Date
        self.answers = answers.map(\.intValue)
        score = coder.decodeDouble(forKey: "score")
        super.init()
    }
}
