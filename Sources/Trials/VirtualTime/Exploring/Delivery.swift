/// A package that is on its way.
public struct Delivery: Hashable, Sendable {
    public let name: String
    public let receiver: String
    /// Packages of the same lane to the same receiver keep their order; those of different lanes may overtake each other.
    public let lane: String

    public init(_ name: String, to receiver: String, lane: String) {
        (self.name, self.receiver, self.lane) = (name, receiver, lane)
    }
}
