/// The host's verdict on a quiz.
public enum QuizVerdict: String, CaseIterable, Sendable {
    /// The quiz is durable in the database.
    case stored
    /// The quiz was already in the database, with the same content.
    case repeated
    /// The bytes are not a quiz.
    case undecodable
    /// The content is invalid.
    case invalid
    /// The database has a quiz with this identifier but different content.
    case conflict
    /// The database is currently unavailable.
    case unavailable
}
