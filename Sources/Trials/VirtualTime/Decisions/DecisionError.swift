/// A decision that no world can have taken.
public enum DecisionError: Error, Equatable, Sendable, CustomStringConvertible {
    case noChoice(DecisionKind, options: UInt32)
    case outOfRange(DecisionKind, options: UInt32, taken: UInt32)

    public var description: String {
        switch self {
        case .noChoice(let kind, let options):
            "a decision of the kind “\(kind.name)” with \(options) possibilities: at least \(Decision.fewestOptions) are needed"
        case .outOfRange(let kind, let options, let taken):
            "a decision of the kind “\(kind.name)” took possibility \(taken): it must be one of 0 to \(options - 1)"
        }
    }
}
