import CVirtualTime

extension Course {
    /// The given decisions that are not dull, in the order in which a world looks them up. All others are dull.
    var rawDecisions: [virtual_time_decision] {
        departures.map(\.decision).sorted { $0.place < $1.place }.map { decision in
            var raw = virtual_time_decision()
            (raw.place, raw.ordinal) = (decision.place.site, decision.place.ordinal)
            (raw.kind, raw.options, raw.taken) = (decision.kind.rawValue, decision.options, decision.taken)
            return raw
        }
    }
}
