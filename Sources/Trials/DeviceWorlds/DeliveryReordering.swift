import LinkProtocol
package import VirtualTime

/// Worlds in which packages that arrive at about the same time are delivered in any order.
package enum DeliveryReordering {
    /// The environment of each device. 5 s: what an app does within a few seconds counts as done at once.
    package static let variables = ["WATCHLINK_FAULTS": "reorder in any within=5s"]
    /// The seed of all orders: entropy is the same in each.
    package static let seed: UInt64 = 1

    /// Returns all orders, each once.
    package static func queue() -> OrderQueue { OrderQueue(OrderTree(about: FaultStateMachine.turn, seed: seed)) }
}
