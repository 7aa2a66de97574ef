/// A transition between statuses that no message may make.
public struct IllegalTransition: Error, Equatable, Sendable, CustomStringConvertible {
    /// The current status.
    public let from: DeliveryStatus
    /// The status that was requested.
    public let to: DeliveryStatus

    public var description: String { "a message that is \(from.rawValue) cannot become \(to.rawValue)" }
}
