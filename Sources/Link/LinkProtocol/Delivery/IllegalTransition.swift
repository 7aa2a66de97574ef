/// A step between statuses that no message takes.
public struct IllegalTransition: Error, Equatable, Sendable, CustomStringConvertible {
    public let from: DeliveryStatus
    public let to: DeliveryStatus

    public var description: String { "a message that is \(from.rawValue) cannot become \(to.rawValue)" }
}
