/// The reason why a quiz cannot be accepted. Final: a retry changes nothing.
///
/// The reasons name fields and rules, never the content of the quiz: they are logged.
public enum QuizError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field is missing, of the wrong type or out of its bounds.
    case invalid(field: String, reason: String)
    /// The bytes are not the archive of a quiz.
    case undecodable(String)

    public var description: String {
        switch self {
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .undecodable(let reason): "not a quiz: \(reason)"
        }
    }
}
