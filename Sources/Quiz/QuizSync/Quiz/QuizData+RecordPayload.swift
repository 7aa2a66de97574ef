public import Foundation
public import RecordSync

/// Quizzes as payloads of an application.
extension QuizData: RecordPayload {
    /// “quiz”.
    public static let name = "quiz"
    /// “quizzes”.
    public static let plural = "quizzes"
    /// The columns of the host's table.
    public static let columns: [PayloadColumn<QuizData>] = [
        .text("title") { $0.title }, .date("taken_at") { $0.takenAt }, .integer("answer_count") { $0.answers.count },
        .real("grade_point_average") { $0.gradePointAverage },
    ]

    /// Returns a warning if the quiz was taken more than a day after a clock's time.
    public func warning(at time: Date) -> String? {
        Self.isAhead(takenAt, of: time)
            ? "takenAt is more than a day ahead of this device's clock; one of the two is wrong" : nil
    }

    /// Returns the quiz as a ``QuizDocument`` in JSON.
    public func document() throws -> Data { try JSONEncoder().encode(QuizDocument(self)) }

    /// Decodes a ``QuizDocument``.
    public static func decoded(fromDocument document: Data) throws -> QuizData {
        guard let quiz = try QuizDocument.documents(document).first else {
            throw QuizError.undecodable("the quiz is missing")
        }
        return try quiz.quiz()
    }
}

extension QuizError: PayloadRefusal {
    package var payloadError: PayloadError {
        switch self {
        case .invalid(let field, let reason): .invalid(field: field, reason: reason)
        case .undecodable(let reason): .undecodable(reason)
        }
    }
}

extension QuizError {
    /// Creates a quiz's error from that of a payload.
    init(_ error: PayloadError) {
        self =
            switch error {
            case .invalid(let field, let reason): .invalid(field: field, reason: reason)
            case .undecodable(let reason): .undecodable(reason)
            }
    }
}
