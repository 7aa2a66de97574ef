/// The error for a decision that no world can have taken.
public enum DecisionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There are fewer possibilities than ``Decision/fewestOptions``.
    case noChoice(DecisionKind, options: UInt32)
    /// The possibility taken is not below the number of possibilities.
    case outOfRange(DecisionKind, options: UInt32, taken: UInt32)

    public var description: String {
        switch self {
        case .noChoice(let kind, let options):
            "a decision of kind “\(kind.name)” has \(options) options: it needs at least \(Decision.fewestOptions)"
        case .outOfRange(let kind, let options, let taken):
            "a decision of kind “\(kind.name)” took possibility \(taken): it must be between 0 and \(options - 1)"
        }
    }
}
