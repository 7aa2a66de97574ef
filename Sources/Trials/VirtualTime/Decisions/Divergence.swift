/// A place where a world left the course that it was given.
public struct Divergence: Hashable, Sendable, CustomStringConvertible {
    public let given: Departure
    /// The decision that the world took at this place; nil if it ended before.
    public let taken: Decision?

    public var description: String {
        guard let taken else { return "the world ended before \(given)" }
        return "\(given) was given, and the world took: \(taken)"
    }
}
