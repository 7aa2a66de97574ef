/// A package in flight.
public struct Delivery: Hashable, Sendable {
    /// The package's name.
    public let name: String
    /// The name of its receiver.
    public let receiver: String
    /// The lane: packages in the same lane to the same receiver stay in order; packages in different lanes may overtake
    /// each other.
    public let lane: String

    /// Creates a delivery.
    public init(_ name: String, to receiver: String, lane: String) {
        (self.name, self.receiver, self.lane) = (name, receiver, lane)
    }
}
