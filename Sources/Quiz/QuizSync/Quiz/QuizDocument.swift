public import Foundation

/// A quiz as people and programs write it: JSON.
///
///     { "identifier": "9B0C…", "title": "Daily nutrition", "takenAt": "2026-11-20T18:30:00Z",
///       "answers": [ { "question": "Vegetables today?", "choice": "3 to 4 servings", "points": 3 } ],
///       "gradePointAverage": 3.0 }
///
/// Identifier and average may be left out; `watchlink submit` makes the identifier of what the quiz says, so that the same file may be
/// submitted again.
public struct QuizDocument: Codable, Sendable, Equatable {
    public struct Answer: Codable, Sendable, Equatable {
        public let question: String
        public let choice: String
        public let points: Double

        private enum CodingKeys: String, CodingKey, CaseIterable { case question, choice, points }

        public init(from decoder: any Decoder) throws {
            try decoder.refuseUnknownKeys(CodingKeys.allCases.map(\.rawValue))
            let container = try decoder.container(keyedBy: CodingKeys.self)
            question = try container.decode(String.self, forKey: .question)
            choice = try container.decode(String.self, forKey: .choice)
            points = try container.decode(Double.self, forKey: .points)
        }

        init(_ answer: QuizAnswer) {
            question = answer.question
            choice = answer.choice
            points = answer.points
        }
    }

    public let identifier: String?
    public let title: String
    public let takenAt: String
    public let answers: [Answer]
    public let gradePointAverage: Double?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case identifier, title, takenAt, answers, gradePointAverage
    }

    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.allCases.map(\.rawValue))
        let container = try decoder.container(keyedBy: CodingKeys.self)
        identifier = try container.decodeIfPresent(String.self, forKey: .identifier)
        title = try container.decode(String.self, forKey: .title)
        takenAt = try container.decode(String.self, forKey: .takenAt)
        answers = try container.decode([Answer].self, forKey: .answers)
        gradePointAverage = try container.decodeIfPresent(Double.self, forKey: .gradePointAverage)
    }

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

    /// The same document under an identifier.
    func with(identifier: UUID) -> QuizDocument { QuizDocument(identifier, self) }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A time as documents have it: RFC 3339 with milliseconds.
    public static func text(_ date: Date) -> String {
        // The style cuts what follows the milliseconds, and no binary fraction is a whole number of them: a time that is
        // written and read again and again must not creep backwards.
        let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
        return Date(timeIntervalSince1970: (milliseconds + 0.25) / 1_000).formatted(time)
    }

    /// Reads a file's bytes: one quiz, or an array of them.
    ///
    /// - Throws: ``QuizError`` that names the field at fault.
    public static func documents(_ json: Data) throws(QuizError) -> [QuizDocument] {
        do {
            let decoder = JSONDecoder()
            let first = json.first { !Character(Unicode.Scalar($0)).isWhitespace }
            return first == UInt8(ascii: "[")
                ? try decoder.decode([QuizDocument].self, from: json)
                : [try decoder.decode(QuizDocument.self, from: json)]
        } catch let error as DecodingError {
            throw QuizError(error)
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// Reads one element of an array.
    ///
    /// - Parameter place: Its place in the array, for the error.
    public init(element json: Data, at place: Int) throws(QuizError) {
        do {
            self = try JSONDecoder().decode(QuizDocument.self, from: json)
        } catch let error as DecodingError {
            throw QuizError(error, at: "[\(place)]")
        } catch {
            throw .undecodable("\(error)")
        }
    }

    /// The quiz that the document describes, checked.
    public func quiz() throws(QuizError) -> QuizData {
        var uuid: UUID?
        if let identifier {
            guard let given = UUID(uuidString: identifier) else {
                throw .invalid(field: "identifier", reason: "is no UUID")
            }
            uuid = given
        }
        guard let time = Self.date(takenAt) else {
            throw .invalid(field: "takenAt", reason: "is no time like 2026-11-20T18:30:00Z")
        }
        let quiz = quiz(uuid, time)
        try quiz.validate()
        return quiz
    }

    /// The same, unchecked.
    func quiz(_ identifier: UUID?, _ takenAt: Date) -> QuizData {
        QuizData(
            identifier: identifier, title: title, takenAt: takenAt,
            answers: answers.map { QuizAnswer(question: $0.question, choice: $0.choice, points: $0.points) },
            gradePointAverage: gradePointAverage)
    }

    /// A time as people write it, with or without a fraction of the second.
    public static func date(_ text: String) -> Date? {
        // Two forms are tried, and a failure of both is the caller's error to word.
        (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: time))
    }
}

extension Decoder {
    /// A misspelt key must not be passed over silently.
    fileprivate func refuseUnknownKeys(_ known: [String]) throws {
        let container = try container(keyedBy: AnyKey.self)
        guard let unknown = container.allKeys.first(where: { !known.contains($0.stringValue) }) else { return }
        throw DecodingError.dataCorruptedError(
            forKey: unknown, in: container, debugDescription: "is no field; known are \(known.joined(separator: ", "))")
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension QuizError {
    /// Foundation's error in the words of the file: which field, and what is wrong.
    ///
    /// - Parameter place: Where what was decoded stands in the file; empty for the whole of it.
    init(_ error: DecodingError, at place: String = "") {
        switch error {
        case .keyNotFound(let key, let context):
            self = .invalid(field: Self.field(context.codingPath + [key], place), reason: "is missing")
        case .typeMismatch(let type, let context):
            self = .invalid(field: Self.field(context.codingPath, place), reason: "is no \(Self.name(type))")
        case .valueNotFound(let type, let context):
            self = .invalid(
                field: Self.field(context.codingPath, place), reason: "is null, wanted is a \(Self.name(type))")
        case .dataCorrupted(let context):
            let isWholeFile = context.codingPath.isEmpty
            self =
                isWholeFile
                ? .undecodable("\(place.isEmpty ? "the file" : place) is no JSON")
                : .invalid(field: Self.field(context.codingPath, place), reason: context.debugDescription)
        @unknown default: self = .undecodable("\(error)")
        }
    }

    private static func name(_ type: any Any.Type) -> String {
        switch type {
        case is Double.Type: "number"
        case is String.Type: "text"
        case is [Any].Type: "list"
        default: "object"
        }
    }

    private static func field(_ path: [any CodingKey], _ place: String) -> String {
        guard !path.isEmpty || !place.isEmpty else { return "the file" }
        return path.reduce(into: place) { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
