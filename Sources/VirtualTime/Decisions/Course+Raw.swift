import CVirtualTime

extension Course {
    /// The given decisions, one after another, as a world reads them. Those that are dull have no kind: they are so whatever is asked.
    var rawDecisions: [virtual_time_decision] {
        var decisions = [virtual_time_decision](repeating: virtual_time_decision(), count: given)
        for departure in departures {
            let decision = departure.decision
            decisions[departure.index] = virtual_time_decision(
                kind: decision.kind.rawValue, options: decision.options, taken: decision.taken)
        }
        return decisions
    }
}
