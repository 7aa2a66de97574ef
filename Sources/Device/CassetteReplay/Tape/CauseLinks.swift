import Cassettes

/// The causes between the events of a cassette.
struct CauseLinks {
    private let events: [CassetteEvent]
    private let side: String

    init(_ events: [CassetteEvent], side: String) { (self.events, self.side) = (events, side) }

    /// Returns the call of the app's code during which an event happened; nil if there was none.
    func occasion(of event: CassetteEvent) -> Int? {
        guard let cause = event.cause.flatMap(self.event), cause.side == event.side,
            EventRole(kind: cause.kind)?.isOccasion == true
        else { return nil }
        return cause.sequence
    }

    /// Returns the deed of this side's app that a delivery follows from, by way of the other app; nil if it is unknown.
    func origin(of sequence: Int) -> Int? {
        var current = event(sequence)?.cause.flatMap(event)
        var hasCrossed = false
        // Causes are earlier events, so this ends.
        while let event = current {
            if event.side != side { hasCrossed = true }
            if hasCrossed, event.side == side, EventRole(kind: event.kind)?.isDeed == true { return event.sequence }
            current = event.cause.flatMap(self.event)
        }
        return nil
    }

    private func event(_ sequence: Int) -> CassetteEvent? {
        events.indices.contains(sequence - 1) ? events[sequence - 1] : nil
    }
}
