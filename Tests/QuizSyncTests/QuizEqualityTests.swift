import Foundation
import KeyedArchive
import Testing

@testable import QuizSync
@testable import RecordSync

/// An answer in an archive that leaves out one of its values.
private final class PartialAnswer: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = QuizAnswer.archiveName
    static let supportsSecureCoding = true
    private let omitted: String

    init(omitting omitted: String) { self.omitted = omitted }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        if omitted != "question" { coder.encode("q", forKey: "question") }
        if omitted != "choice" { coder.encode("c", forKey: "choice") }
        if omitted != "points" { coder.encode(3.0, forKey: "points") }
    }
}

/// A quiz in an archive that leaves out one of its values, or one of its only answer's.
private final class PartialQuiz: NSObject, NSSecureCoding, ArchiveNaming {
    static let archiveName = QuizData.archiveName
    static let supportsSecureCoding = true
    private let omitted: String

    init(omitting omitted: String) { self.omitted = omitted }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        if omitted != "identifier" { coder.encode(UUID(), forKey: "identifier") }
        if omitted != "title" { coder.encode("t", forKey: "title") }
        if omitted != "takenAt" { coder.encode(Date(timeIntervalSince1970: 1), forKey: "takenAt") }
        if omitted != "answers" { coder.encode([PartialAnswer(omitting: omitted)], forKey: "answers") }
        if omitted != "gradePointAverage" { coder.encode(3.0, forKey: "gradePointAverage") }
    }
}

@Suite("Equal quizzes, and incomplete ones")
struct QuizEqualityTests {
    private struct Provider: DataProvider {}

    private static let name = UUID()

    private static func answer(_ question: String = "q", _ choice: String = "c", _ points: Double = 1) -> QuizAnswer {
        QuizAnswer(question: question, choice: choice, points: points)
    }

    private static func quiz(
        _ identifier: UUID = Self.name, title: String = "t", takenAt: TimeInterval = 1,
        answers: [QuizAnswer] = [Self.answer()], average: Double = 1
    ) -> QuizData {
        QuizData(
            identifier: identifier, title: title, takenAt: Date(timeIntervalSince1970: takenAt), answers: answers,
            gradePointAverage: average)
    }

    @Test("Answers are equal if question, choice and points are; an answer equals nothing else")
    func answers() {
        let answer = Self.answer()
        let same = Self.answer()
        #expect(answer.isEqual(same))
        #expect(answer.hash == same.hash)
        let others: [Any?] = [
            Self.answer("x"), Self.answer("q", "x"), Self.answer("q", "c", 2), Self.answer("x", "x"),
            Self.answer("x", "c", 2), NSString(string: "q"), NSObject(), Self.quiz(), nil,
        ]
        let equal = others.map { answer.isEqual($0) }
        #expect(equal == Array(repeating: false, count: others.count))
    }

    @Test("Quizzes are equal if everything in them is; a quiz equals nothing else")
    func quizzes() {
        let quiz = Self.quiz()
        let same = Self.quiz()
        #expect(quiz.isEqual(same))
        #expect(quiz.hash == same.hash)
        let others: [Any?] = [
            Self.quiz(UUID()), Self.quiz(title: "x"), Self.quiz(takenAt: 2), Self.quiz(answers: [Self.answer("x")]),
            Self.quiz(answers: []), Self.quiz(answers: [Self.answer(), Self.answer()]), Self.quiz(average: 2),
            Self.quiz(UUID(), title: "x"), NSString(string: "t"), NSObject(), Self.answer(), nil,
        ]
        let equal = others.map { quiz.isEqual($0) }
        #expect(equal == Array(repeating: false, count: others.count))
    }

    @Test(
        "An archive that lacks any value of a quiz or of its answer is not a quiz",
        arguments: [
            "identifier", "title", "takenAt", "answers", "gradePointAverage", "question", "choice", "points",
        ])
    func incomplete(_ key: String) throws {
        let archive = try Provider().archivedData(of: PartialQuiz(omitting: key))
        let data = EncodedData(archive)
        #expect(throws: QuizError.self) { try data.quizData }
    }

    @Test("An archive that lacks none of them is one")
    func complete() throws {
        let archive = try Provider().archivedData(of: PartialQuiz(omitting: "nothing"))
        let quiz = try EncodedData(archive).quizData
        #expect(quiz.title == "t")
        #expect(quiz.answers == [Self.answer("q", "c", 3)])
        #expect(quiz.gradePointAverage == 3)
    }

    @Test("The stated average may differ from the mean by the tolerance, and by no more")
    func tolerance() {
        let tolerance = QuizData.averageTolerance
        #expect(tolerance == 0.005_000_1)
        for average in [tolerance, -tolerance, 0] {
            let quiz = makeQuiz(points: [0], average: average)
            #expect(throws: Never.self, "\(average)") { try quiz.validate() }
        }
        let error = QuizError.invalid(field: "gradePointAverage", reason: "is not the mean of the answers' points")
        for average in [tolerance.nextUp, -tolerance.nextUp] {
            let quiz = makeQuiz(points: [0], average: average)
            #expect(throws: error, "\(average)") { try quiz.validate() }
        }
    }

    @Test("The first wrong field is the one that is refused, in the order of the document")
    func order() {
        let nothing = QuizData(title: "", takenAt: Date(timeIntervalSince1970: -1), answers: [], gradePointAverage: 9)
        #expect(throws: QuizError.invalid(field: "title", reason: "is empty")) { try nothing.validate() }
        let early = QuizData(title: "t", takenAt: Date(timeIntervalSince1970: -1), answers: [], gradePointAverage: 9)
        #expect(throws: QuizError.invalid(field: "takenAt", reason: "is before 1970")) { try early.validate() }
        let late = QuizData(
            title: "t", takenAt: Date(timeIntervalSince1970: 253_402_300_800), answers: [], gradePointAverage: 9)
        #expect(throws: QuizError.invalid(field: "takenAt", reason: "is after the year 9999")) { try late.validate() }
        let empty = QuizData(title: "t", takenAt: Date(timeIntervalSince1970: 1), answers: [], gradePointAverage: 9)
        #expect(throws: QuizError.invalid(field: "answers", reason: "is empty")) { try empty.validate() }
        let answer = Self.answer("", "", 9)
        let question = QuizData(title: "t", takenAt: Date(timeIntervalSince1970: 1), answers: [answer])
        #expect(throws: QuizError.invalid(field: "answers[0].question", reason: "is empty")) {
            try question.validate()
        }
    }
}
