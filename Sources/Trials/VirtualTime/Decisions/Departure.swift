/// A decision that is not dull, and its number among all decisions of the world.
public struct Departure: Hashable, Sendable {
    /// The number of the decision, from 0.
    public let index: Int
    /// The decision.
    public let decision: Decision
    /// The context, known only for decisions that a world took.
    public let circumstance: Circumstance?

    /// Creates a departure.
    public init(at index: Int, _ decision: Decision, _ circumstance: Circumstance? = nil) {
        (self.index, self.decision, self.circumstance) = (index, decision, circumstance)
    }

    /// Returns this departure with a smaller answer.
    func lowered(to taken: UInt32) -> Departure { Departure(at: index, decision.lowered(to: taken), circumstance) }
}

extension Departure: CustomStringConvertible {
    public var description: String {
        guard let subject = circumstance?.subject, !subject.isEmpty else { return "decision \(index): \(decision)" }
        return "decision \(index): \(decision) (\(subject))"
    }
}
