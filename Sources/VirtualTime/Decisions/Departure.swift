/// A decision that was not dull, and its number among all decisions of the world.
public struct Departure: Hashable, Sendable {
    /// The number of the decision, from 0.
    public let index: Int
    public let decision: Decision

    public init(at index: Int, _ decision: Decision) {
        (self.index, self.decision) = (index, decision)
    }
}

extension Departure: CustomStringConvertible {
    public var description: String { "decision \(index): \(decision)" }
}
