/// Why something is no quiz that can be taken in. Final: sending it again changes nothing.
///
/// The reasons name fields and rules, never what the quiz says: they go into logs.
public enum QuizError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A field is missing, of the wrong type or out of its bounds.
    case invalid(field: String, reason: String)
    /// The bytes are no archive of a quiz.
    case undecodable(String)

    public var description: String {
        switch self {
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .undecodable(let reason): "not a quiz: \(reason)"
        }
    }
}
