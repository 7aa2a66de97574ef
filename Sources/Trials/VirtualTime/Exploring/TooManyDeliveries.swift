/// The error for more packages than can be tried in all orders.
public struct TooManyDeliveries: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of packages given.
    public let given: Int

    public var description: String {
        "cannot try all orders of \(given) deliveries: at most \(DeliveryOrders.mostDeliveries) are allowed; "
            + "use fewer, or pick orders by seed"
    }
}
