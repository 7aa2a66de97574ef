/// More packages than can be tried in all orders.
public struct TooManyDeliveries: Error, Equatable, Sendable, CustomStringConvertible {
    public let given: Int

    public var description: String {
        "all orders of \(given) deliveries: at most \(DeliveryOrders.mostDeliveries) are allowed; "
            + "take fewer, or draw the orders from seeds"
    }
}
