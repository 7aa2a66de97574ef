import VirtualTime

/// The coverage of the seeds, counted in three ways.
struct ExplorationCoverage: Codable, Equatable {
    /// Pairs of consecutive events on all devices.
    private(set) var orders = Coverage()
    /// Calls of a delegate, paired with the state of its device's ledger.
    private(set) var calls = Coverage()
    /// Pairs of consecutive calls at which a program's threads were handed over.
    private(set) var handovers = Coverage()

    /// Adds the coverage of one seed.
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
