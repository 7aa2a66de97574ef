import VirtualTime

/// The calls of a process at which its threads were handed over out of turn, each paired with the next one.
struct HandoverPlaces {
    let pairs: Set<Coverage.Pair>

    private static let kinds: Set<DecisionKind> = [.thread, .interruption, .wake, .stall]

    init(_ process: ProcessOutcome) {
        let places = process.world.departures.compactMap { departure -> String? in
            guard Self.kinds.contains(departure.decision.kind), let subject = departure.circumstance?.subject else {
                return nil
            }
            return "\(process.name): \(departure.decision.kind.name) at \(subject)"
        }
        pairs = Set(zip(places, places.dropFirst()).map { Coverage.Pair($0, $1) })
    }
}
