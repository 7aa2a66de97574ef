import Foundation
import KeyedArchive
import Testing

@testable import QuizSync
@testable import RecordSync

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

    @Test("An object that does not support secure coding is not encoded")
    func insecure() {
        final class Insecure: NSObject, NSSecureCoding {
            static let supportsSecureCoding = false
            override init() { super.init() }
            init?(coder: NSCoder) { nil }
            func encode(with coder: NSCoder) {}
        }
        struct Provider: DataProvider {}
        #expect(throws: ArchiveError.self) { try Provider().archivedData(of: Insecure()) }
        #expect(throws: ArchiveError.self) { try Provider().payload(of: Insecure()) }
    }

    @Test(
        "Valid content is accepted",
        arguments: [
            makeQuiz(), makeQuiz(points: [0]), makeQuiz(points: [4, 4, 4]), makeQuiz(points: [3, 4], average: 3.5),
            makeQuiz(points: [1, 1, 2], average: 1.33),
            // Regardless of any clock.
            makeQuiz(takenAt: now + 400 * 86_400), makeQuiz(takenAt: Date(timeIntervalSince1970: 253_402_300_799)),
            makeQuiz(takenAt: Date(timeIntervalSince1970: 0)),
            // Two digits after the point, rounded up or down.
            makeQuiz(points: [3, 4], average: 3.505), makeQuiz(points: [3, 4], average: 3.495),
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
            (makeQuiz(takenAt: Date(timeIntervalSince1970: -0.001)), "takenAt"),
            (makeQuiz(takenAt: Date(timeIntervalSince1970: .nan)), "takenAt"),
            (makeQuiz(takenAt: Date(timeIntervalSince1970: .infinity)), "takenAt"),
            (makeQuiz(takenAt: Date(timeIntervalSince1970: -.infinity)), "takenAt"),
            (makeQuiz(points: [Double(4).nextUp], average: 4), "answers[0].points"),
            (makeQuiz(points: [-0.001], average: 0), "answers[0].points"),
            (makeQuiz(points: [3, 4], average: 3.505_1), "gradePointAverage"),
            (makeQuiz(points: [3, 4], average: 3.494_9), "gradePointAverage"),
        ])
    func invalid(_ quiz: QuizData, _ field: String) {
        do throws(QuizError) {
            try quiz.validate()
            Issue.record("it was taken")
        } catch {
            guard case .invalid(field, _) = error else { return #expect(Bool(false), "\(error)") }
        }
    }

    private static func quiz(_ text: String, as field: String) -> QuizData {
        QuizData(
            title: field == "title" ? text : "t", takenAt: now,
            answers: [
                QuizAnswer(question: "q", choice: "c", points: 1),
                QuizAnswer(
                    question: field == "answers[1].question" ? text : "q",
                    choice: field == "answers[1].choice" ? text : "c", points: 1),
            ])
    }

    @Test(
        "Each text has at least one visible character, and at most 4 KiB",
        arguments: ["title", "answers[1].question", "answers[1].choice"])
    func texts(_ field: String) {
        let longest = String(repeating: "ä", count: 2_048)
        let accepted = [longest, String(repeating: "x", count: 4_096), "!", "~", " x", "\u{2003}ä", "🥦"]
        for text in accepted {
            #expect(throws: Never.self, "\(text.prefix(9))") { try Self.quiz(text, as: field).validate() }
        }
        let tooLong = "has 4097 bytes; the limit is 4096"
        let refused = [
            ("", "is empty"), (" ", "is empty"), ("\n\t\u{2003}", "is empty"), (longest + "x", tooLong),
            (String(repeating: "x", count: 4_097), tooLong),
        ]
        for (text, reason) in refused {
            let error = #expect(throws: QuizError.self) { try Self.quiz(text, as: field).validate() }
            #expect(error == QuizError.invalid(field: field, reason: reason))
        }
    }

    @Test("A quiz is ahead of a clock when it was taken more than a day later")
    func ahead() {
        let day: TimeInterval = 86_400
        let isAhead = [-day, 0, day, day + 0.001].map { QuizData.isAhead(now + $0, of: now) }
        #expect(isAhead == [false, false, false, true])
    }

    @Test("A document becomes a quiz, and the quiz the same document")
    func document() throws {
        let quiz = makeQuiz(takenAt: Date(timeIntervalSince1970: 1_763_600_000.25))
        let json = try JSONEncoder().encode(QuizDocument(quiz))
        let back = try QuizDocument.documents(json).first?.quiz()
        #expect(back == quiz)
    }

    @Test(
        "A document that is not a quiz is refused by field",
        arguments: [
            ("{", "not a quiz: the file is not JSON"), ("{}", "title: is missing"),
            (" \n[{}]", "[0].title: is missing"), ("5", "the file: is not an object"),
            ("\"text\"", "the file: is not an object"), ("[5]", "[0]: is not an object"),
            (#"{"title": 1}"#, "title: is not a string"),
            (
                #"{"titel": "t"}"#,
                "titel: is unknown; allowed: identifier, title, takenAt, answers, gradePointAverage"
            ),
            (#"{"title": "t", "takenAt": "x", "answers": [{}]}"#, "answers[0].question: is missing"),
            (
                #"{"title": "t", "takenAt": "x", "answers": [{"question": "q", "choice": "c", "points": "3"}]}"#,
                "answers[0].points: is not a number"
            ),
            (
                #"{"title": "t", "takenAt": "x", "answers": [{"question": "q", "choice": "c", "point": 3}]}"#,
                "answers[0].point: is unknown; allowed: question, choice, points"
            ),
        ])
    func refusedDocuments(_ json: String, _ reason: String) {
        let error = #expect(throws: QuizError.self) { try QuizDocument.documents(Data(json.utf8)) }
        #expect(error?.description == reason)
    }

    @Test("An element of a list is refused with its place")
    func refusedElement() {
        let error = #expect(throws: QuizError.self) { try QuizDocument(element: Data("{}".utf8), at: 3) }
        #expect(error?.description == "[3].title: is missing")
        let number = #expect(throws: QuizError.self) { try QuizDocument(element: Data("5".utf8), at: 3) }
        #expect(number?.description == "[3]: is not an object")
        let broken = #expect(throws: QuizError.self) { try QuizDocument(element: Data("{".utf8), at: 3) }
        #expect(broken?.description == "not a quiz: [3] is not JSON")
    }

    @Test("A document's identifier and time are checked like its content")
    func refusedValues() throws {
        let answers = #""answers": [{"question": "q", "choice": "c", "points": 3}]"#
        let cases = [
            (#""identifier": "7", "title": "t", "takenAt": "2025-11-20T18:30:00Z""#, "identifier"),
            (#""title": "t", "takenAt": "yesterday""#, "takenAt"),
            (#""title": " ", "takenAt": "2025-11-20T18:30:00Z""#, "title"),
        ]
        for (values, field) in cases {
            let document = try #require(try QuizDocument.documents(Data("{\(values), \(answers)}".utf8)).first)
            let error = #expect(throws: QuizError.self) { try document.quiz() }
            #expect(error?.description.hasPrefix(field + ": ") == true, "\(String(describing: error))")
        }
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
        #expect(QuizVerdict.allCases.filter { Disposition($0) == .retry } == [.fileMissing, .unavailable])
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
