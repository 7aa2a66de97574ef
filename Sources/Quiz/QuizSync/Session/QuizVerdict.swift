/// What the host made of a quiz.
public enum QuizVerdict: String, CaseIterable, Sendable {
    /// It is in the database, durably.
    case stored
    /// It was in the database already, with this content.
    case repeated
    /// The bytes are no quiz.
    case undecodable
    /// The content cannot be right.
    case invalid
    /// A quiz of this identifier with other content is in the database.
    case conflict
    /// The database cannot take anything now.
    case unavailable
}
