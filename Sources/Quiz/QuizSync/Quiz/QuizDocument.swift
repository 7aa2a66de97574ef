public import Foundation
import RecordSync

/// A quiz in JSON, as people and programs write it.
///
///     { "identifier": "9B0C…", "title": "Daily nutrition", "takenAt": "2026-11-20T18:30:00Z",
///       "answers": [ { "question": "Vegetables today?", "choice": "3 to 4 servings", "points": 3 } ],
///       "gradePointAverage": 3.0 }
///
/// Identifier and average are optional; `watchlink submit` derives a missing identifier from the content, so that a
/// file can be submitted again.
public struct QuizDocument: Codable, Sendable, Equatable {
    /// A question with the chosen answer.
    public struct Answer: Codable, Sendable, Equatable {
        /// The text of the question.
        public let question: String
        /// The text of the chosen answer.
        public let choice: String
        /// The grade points, 0 to 4.
        public let points: Double

        private enum CodingKeys: String, CodingKey, CaseIterable {
            case question, choice, points

            static let names = allCases.map(\.rawValue)
            var document: DocumentKey { DocumentKey(rawValue) }
        }

        /// Decodes an answer, and rejects unknown keys.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: DocumentKey.self)
            try container.refuseUnknownKeys(CodingKeys.names)
            question = try container.decode(String.self, forKey: CodingKeys.question.document)
            choice = try container.decode(String.self, forKey: CodingKeys.choice.document)
            points = try container.decode(Double.self, forKey: CodingKeys.points.document)
        }

        init(_ answer: QuizAnswer) {
            question = answer.question
            choice = answer.choice
            points = answer.points
        }
    }

    /// The identifier, a UUID; nil to derive it from the content.
    public let identifier: String?
    /// The title.
    public let title: String
    /// The time at which the quiz was taken, in ISO 8601.
    public let takenAt: String
    /// The answers, in the order of the questions.
    public let answers: [Answer]
    /// The mean of the answers' points; nil to compute it.
    public let gradePointAverage: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, title, takenAt, answers, gradePointAverage

        static let names = allCases.map(\.rawValue)
        var document: DocumentKey { DocumentKey(rawValue) }
    }

    /// The keys of a document.
    static let keys = CodingKeys.names

    /// Decodes a document, and rejects unknown keys.
    public init(from decoder: any Decoder) throws {
        // All keys are read through one container: for each, the decoder makes a dictionary of the object.
        let fields = try decoder.container(keyedBy: DocumentKey.self)
        try fields.refuseUnknownKeys(CodingKeys.names)
        identifier = try fields.decodeIfPresent(String.self, forKey: CodingKeys.identifier.document)
        title = try fields.decode(String.self, forKey: CodingKeys.title.document)
        takenAt = try fields.decode(String.self, forKey: CodingKeys.takenAt.document)
        answers = try fields.decode([Answer].self, forKey: CodingKeys.answers.document)
        gradePointAverage = try fields.decodeIfPresent(Double.self, forKey: CodingKeys.gradePointAverage.document)
    }

    /// Creates the document of a quiz.
    public init(_ quiz: QuizData) {
        identifier = quiz.identifier.uuidString
        title = quiz.title
        takenAt = Self.text(quiz.takenAt)
        answers = quiz.answers.map(Answer.init)
        gradePointAverage = quiz.gradePointAverage
    }

    private init(_ identifier: UUID, _ document: QuizDocument) {
        self.identifier = identifier.uuidString
        title = document.title
        takenAt = document.takenAt
        answers = document.answers
        gradePointAverage = document.gradePointAverage
    }

    /// Returns the document with an identifier.
    func with(identifier: UUID) -> QuizDocument { QuizDocument(identifier, self) }

    /// Returns a time in the form of documents: RFC 3339 with milliseconds.
    public static func text(_ date: Date) -> String { TimeText.text(date) }

    /// Parses the bytes of a file: one quiz, or an array of them.
    ///
    /// - Throws: ``QuizError`` with the wrong field.
    public static func documents(_ json: Data) throws(QuizError) -> [QuizDocument] {
        do {
            let decoder = JSONDecoder()
            let first = json.first { !Character(Unicode.Scalar($0)).isWhitespace }
            return first == UInt8(ascii: "[")
                ? try decoder.decode([QuizDocument].self, from: json)
                : [try decoder.decode(QuizDocument.self, from: json)]
        } catch let error as DecodingError {
            throw QuizError(PayloadError(error))
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// Parses one element of an array.
    ///
    /// - Parameters:
    ///   - json: The bytes of the element.
    ///   - place: The index in the array, for the error.
    /// - Throws: ``QuizError`` with the wrong field.
    public init(element json: Data, at place: Int) throws(QuizError) {
        do {
            self = try JSONDecoder().decode(QuizDocument.self, from: json)
        } catch let error as DecodingError {
            throw QuizError(PayloadError(error, at: "[\(place)]"))
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// Returns the validated quiz. Throws ``QuizError`` with the wrong field.
    public func quiz() throws(QuizError) -> QuizData {
        var uuid: UUID?
        if let identifier {
            guard let given = UUID(uuidString: identifier) else {
                throw .invalid(field: "identifier", reason: "is not a UUID")
            }
            uuid = given
        }
        guard let time = Self.date(takenAt) else {
            throw .invalid(field: "takenAt", reason: "is not a time such as 2026-11-20T18:30:00Z")
        }
        let quiz = quiz(uuid, time)
        try quiz.validate()
        return quiz
    }

    /// Returns the quiz, unchecked.
    func quiz(_ identifier: UUID?, _ takenAt: Date) -> QuizData {
        QuizData(
            identifier: identifier, title: title, takenAt: takenAt,
            answers: answers.map { QuizAnswer(question: $0.question, choice: $0.choice, points: $0.points) },
            gradePointAverage: gradePointAverage)
    }

    /// Parses an ISO 8601 time with or without fractional seconds; nil for other text.
    public static func date(_ text: String) -> Date? {
        TimeText.date(text)
    }
}

extension KeyedDecodingContainer<DocumentKey> {
    /// Rejects unknown keys: a misspelt key must not be ignored silently.
    fileprivate func refuseUnknownKeys(_ known: [String]) throws {
        let unknown = allKeys.first { !known.contains($0.stringValue) }
        guard let unknown else { return }
        throw DecodingError.dataCorruptedError(
            forKey: unknown, in: self, debugDescription: "is unknown; allowed: \(known.joined(separator: ", "))")
    }
}
