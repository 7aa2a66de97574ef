/// All orders in which packages can arrive, each once.
///
/// A receiver cannot tell what another one got before it, so two orders in which each receiver gets the same packages in the same order count as one.
public struct DeliveryOrders: Sequence, Sendable {
    /// 12: if each may overtake each, these have 479,001,600 orders, hours of a world of some milliseconds.
    public static let mostDeliveries = 12

    private let receivers: [Receiver]
    /// How many orders there are.
    public let count: Int

    /// - Throws: ``TooManyDeliveries`` for more packages than ``mostDeliveries``.
    public init(of deliveries: [Delivery]) throws(TooManyDeliveries) {
        guard deliveries.count <= Self.mostDeliveries else { throw TooManyDeliveries(given: deliveries.count) }
        var names: [String] = []
        for delivery in deliveries where !names.contains(delivery.receiver) { names.append(delivery.receiver) }
        receivers = names.map { name in Receiver(deliveries.filter { $0.receiver == name }) }
        // No product of factorials exceeds the factorial of the sum.
        count = receivers.reduce(1) { $0 * $1.orders }
    }

    public func makeIterator() -> Iterator { Iterator(receivers: receivers) }

    public struct Iterator: IteratorProtocol {
        private var receivers: [Receiver]
        private var isOver = false

        fileprivate init(receivers: [Receiver]) { self.receivers = receivers }

        /// The next order: all packages of one receiver, then those of the next one.
        public mutating func next() -> [Delivery]? {
            guard !isOver else { return nil }
            let order = receivers.flatMap(\.order)
            // As a counter does: the last receiver's order changes; when that has gone through all, the one before changes as well.
            for index in receivers.indices.reversed() where receivers[index].advance() { return order }
            isOver = true
            return order
        }
    }
}
