/// The first point at which a world left the course it was given.
public struct Divergence: Hashable, Sendable, CustomStringConvertible {
    /// The decision that was given.
    public let given: Departure
    /// The decision that the world took instead; nil if it ended before that point.
    public let taken: Decision?

    public var description: String {
        guard let taken else { return "the world ended before \(given)" }
        return "\(given) was given, but the world took \(taken)"
    }
}
