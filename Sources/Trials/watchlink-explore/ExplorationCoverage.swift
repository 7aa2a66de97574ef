import VirtualTime

/// What seeds came to, counted in three ways.
struct ExplorationCoverage: Codable, Equatable {
    /// Orders of two events of all devices.
    private(set) var orders = Coverage()
    /// Calls of a delegate, each with the state of its device's ledger.
    private(set) var calls = Coverage()
    /// One after the other, two calls of a program at which its threads were handed over.
    private(set) var handovers = Coverage()

    /// Adds what one seed did.
    mutating func add(_ performance: Performance) {
        orders.add(sequence: EventSequence(performance).events)
        calls.add(Set(performance.processes.flatMap { DelegateCalls($0).pairs }))
        handovers.add(Set(performance.processes.flatMap { HandoverPlaces($0).pairs }))
    }

    mutating func add(_ other: ExplorationCoverage) {
        orders.add(other.orders)
        calls.add(other.calls)
        handovers.add(other.handovers)
    }
}
