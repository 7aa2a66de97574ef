/// The orders in which packages can arrive, each once.
///
/// A receiver cannot see what another one received before it, so two orders in which each receiver gets the same
/// packages in the same order count as one.
public struct DeliveryOrders: Sequence, Sendable {
    /// The most packages, 12: if any can overtake any other, they have 479,001,600 orders, which take hours at a few
    /// milliseconds per world.
    public static let mostDeliveries = 12

    private let receivers: [Receiver]
    /// The number of orders.
    public let count: Int

    /// Creates the orders of the given packages.
    ///
    /// - Throws: ``TooManyDeliveries`` for more than ``mostDeliveries`` packages.
    public init(of deliveries: [Delivery]) throws(TooManyDeliveries) {
        guard deliveries.count <= Self.mostDeliveries else { throw TooManyDeliveries(given: deliveries.count) }
        var names: [String] = []
        for delivery in deliveries where !names.contains(delivery.receiver) { names.append(delivery.receiver) }
        receivers = names.map { name in Receiver(deliveries.filter { $0.receiver == name }) }
        // No product of factorials exceeds the factorial of the sum.
        count = receivers.reduce(1) { $0 * $1.orders }
    }

    /// Returns an iterator over the orders.
    public func makeIterator() -> Iterator { Iterator(receivers: receivers) }

    /// An iterator over the orders in which packages can arrive.
    public struct Iterator: IteratorProtocol {
        private var receivers: [Receiver]
        private var isOver = false

        fileprivate init(receivers: [Receiver]) { self.receivers = receivers }

        /// Returns the next order: all packages of one receiver, then all packages of the next.
        public mutating func next() -> [Delivery]? {
            guard !isOver else { return nil }
            let order = receivers.flatMap(\.order)
            // Like an odometer: the last receiver's order advances, and each wrap-around advances the receiver before
            // it.
            for index in receivers.indices.reversed() where receivers[index].advance() { return order }
            isOver = true
            return order
        }
    }
}
