import Foundation
import KeyedArchive
import Testing

@testable import QuizSync

private let now = Date(timeIntervalSince1970: 1_763_700_000)

func makeQuiz(
    _ identifier: UUID = UUID(), title: String = "Täglich 🥦", takenAt: Date = now, points: [Double] = [3, 4],
    average: Double? = nil
) -> QuizData {
    QuizData(
        identifier: identifier, title: title, takenAt: takenAt,
        answers: points.map { QuizAnswer(question: "Gemüse?", choice: "viel", points: $0) }, gradePointAverage: average)
}

@Suite("Quizzes")
struct QuizDataTests {
    @Test("A quiz survives archiving, under stable names")
    func archive() throws {
        let quiz = makeQuiz()
        let data = try quiz.archivedData()
        let read = try EncodedData(data).quizData
        #expect(read == quiz)
        let tree = try PropertyListValue(binary: data)
        guard case .array(let objects) = tree["$objects"] else {
            Issue.record("expected a list of objects, came \(tree)")
            return
        }
        #expect(objects.compactMap { $0["$classname"] }.contains(.string("QuizData")))
        #expect(objects.compactMap { $0["$classname"] }.contains(.string("QuizAnswer")))
    }

    @Test("Equal quizzes have equal bytes")
    func deterministic() throws {
        let identifier = UUID()
        let bytes = try makeQuiz(identifier).archivedData()
        let again = try makeQuiz(identifier).archivedData()
        #expect(bytes == again)
    }

    @Test("Foundation reads a quiz's archive")
    func foundation() throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: makeQuiz().archivedData())
        unarchiver.setClass(QuizData.self, forClassName: "QuizData")
        unarchiver.setClass(QuizAnswer.self, forClassName: "QuizAnswer")
        let quiz = try #require(unarchiver.decodeObject(of: QuizData.self, forKey: "root"))
        #expect(quiz.title == "Täglich 🥦")
        #expect(quiz.answers.map(\.points) == [3, 4])
    }

    @Test("The payload holds the archive under its key, and both ways to read it work")
    func payload() throws {
        struct Provider: DataProvider {}
        let quiz = makeQuiz()
        let payload = try Provider().payload(of: quiz)
        let read = try EncodedData(payload: payload).quizData
        #expect(read == quiz)
        let fromDictionary = try EncodedData([Payload.dataKey: quiz.archivedData()]).quizData
        #expect(fromDictionary == quiz)
    }

    @Test("Data that is not a payload or a quiz is an error, never nil")
    func undecodable() throws {
        struct Provider: DataProvider {}
        #expect(throws: QuizError.self) { try EncodedData([:]) }
        #expect(throws: QuizError.self) { try EncodedData([Payload.dataKey: "text"]) }
        #expect(throws: QuizError.self) { try EncodedData(payload: Data([1, 2, 3])) }
        #expect(throws: QuizError.self) { try EncodedData(Data([1, 2, 3])).quizData }
        #expect(throws: QuizError.self) { try EncodedData(Data()).quizData }
        let other = try Provider().archivedData(of: QuizAcknowledgement(nil, .stored))
        #expect(throws: QuizError.self) { try EncodedData(other).quizData }
    }

    @Test(
        "Valid content is accepted",
        arguments: [
            makeQuiz(), makeQuiz(points: [0]), makeQuiz(points: [4, 4, 4]), makeQuiz(points: [3, 4], average: 3.5),
            makeQuiz(points: [1, 1, 2], average: 1.33),
            // Regardless of any clock.
            makeQuiz(takenAt: now + 400 * 86_400), makeQuiz(takenAt: Date(timeIntervalSince1970: 253_402_300_799)),
        ])
    func valid(_ quiz: QuizData) throws { try quiz.validate() }

    @Test(
        "Invalid content is refused by field",
        arguments: [
            (makeQuiz(title: ""), "title"), (makeQuiz(title: " \n"), "title"), (makeQuiz(points: []), "answers"),
            (makeQuiz(title: String(repeating: "x", count: 5000)), "title"),
            (makeQuiz(points: [3, 4.5]), "answers[1].points"), (makeQuiz(points: [-1]), "answers[0].points"),
            (makeQuiz(points: [.nan]), "answers[0].points"),
            (makeQuiz(points: [3, 4], average: 3.6), "gradePointAverage"),
            (makeQuiz(average: .nan), "gradePointAverage"),
            (makeQuiz(takenAt: Date(timeIntervalSince1970: 253_402_300_800)), "takenAt"),
            (makeQuiz(takenAt: Date(timeIntervalSince1970: -1)), "takenAt"),
        ])
    func invalid(_ quiz: QuizData, _ field: String) {
        do throws(QuizError) {
            try quiz.validate()
            Issue.record("it was taken")
        } catch {
            guard case .invalid(field, _) = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    @Test("A document becomes a quiz, and the quiz the same document")
    func document() throws {
        let quiz = makeQuiz(takenAt: Date(timeIntervalSince1970: 1_763_600_000.25))
        let json = try JSONEncoder().encode(QuizDocument(quiz))
        let back = try QuizDocument.documents(json).first?.quiz()
        #expect(back == quiz)
    }

    @Test("Identifier and average are optional")
    func leftOut() throws {
        let json =
            #"{"title": "t", "takenAt": "2025-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 3}]}"#
        let document = try #require(try QuizDocument.documents(Data(json.utf8)).first)
        let quiz = try document.quiz()
        #expect(quiz.gradePointAverage == 3)
        let other = try document.quiz().identifier
        #expect(other != quiz.identifier)
    }

    @Test("A generated identifier begins with the time, so that a database keeps new quizzes together")
    func ordered() throws {
        let document = try QuizDocument.documents(
            Data(
                #"{"title": "t", "takenAt": "2025-11-20T18:30:00Z", "answers": [{"question": "q", "choice": "c", "points": 3}]}"#
                    .utf8)
        )[0]
        let made = [QuizData(title: "t", takenAt: Date(), answers: []), try document.quiz()]
        for quiz in made {
            let text = quiz.identifier.uuidString.replacing("-", with: "")
            let milliseconds = try #require(Int(text.prefix(12), radix: 16))
            #expect(abs(Double(milliseconds) / 1_000 - Date().timeIntervalSince1970) < 3_600)
        }
        #expect(made[0].identifier != made[1].identifier)
    }

    @Test("The verdicts have the dispositions required by the rules")
    func dispositions() {
        #expect(QuizVerdict.allCases.filter { Disposition($0) == .delivered } == [.stored, .repeated])
        #expect(QuizVerdict.allCases.filter { Disposition($0) == .failed } == [.undecodable, .invalid, .conflict])
        #expect(QuizVerdict.allCases.filter { Disposition($0) == .retry } == [.unavailable])
        #expect(
            WCError.Code.allCases.filter { Disposition($0) == .failed }
                == [.invalidParameter, .payloadTooLarge, .payloadUnsupportedTypes])
    }

    @Test("A time is unchanged by writing and reading, to the millisecond")
    func times() throws {
        for millisecond in 0..<1_000 {
            let date = Date(timeIntervalSince1970: 1_795_000_000 + Double(millisecond) / 1_000)
            let text = QuizDocument.text(date)
            let again = try #require(QuizDocument.date(text))
            #expect(QuizDocument.text(again) == text)
            #expect(abs(again.timeIntervalSince(date)) < 0.000_1)
        }
    }
}
