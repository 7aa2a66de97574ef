import LinkProtocol
package import VirtualTime

/// Worlds in which packages that arrive at about the same time are delivered in any order.
package enum DeliveryReordering {
    /// The longest wait of a package for others, in seconds. 5: what an app does within a few seconds counts as done at
    /// once.
    private static let span = 5
    /// The environment of each device.
    package static let variables = ["WATCHLINK_FAULTS": "reorder in any within=\(span)s"]
    /// A report's claim once all orders have run.
    package static let completion = "packages that arrive within \(span) s have no other orders"
    /// The seed of all orders: entropy is the same in each.
    package static let seed: UInt64 = 1

    /// Returns all orders, each once.
    package static func queue() -> OrderQueue { OrderQueue(OrderTree(about: FaultStateMachine.turn, seed: seed)) }
}
