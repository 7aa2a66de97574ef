/// Shortens a run that violates an invariant by removing steps while it still does.
package enum PlanShrinker {
    /// The limit on runs: 3,000 take some seconds.
    private static let maximumRuns = 3_000

    /// - Returns: A plan with fewer steps, or the same one, and its violation.
    package static func shrink(
        _ plan: Plan, bug: PlantedBug?, carriesBytes: Bool, _ violation: Violation
    ) -> (Plan, Violation) {
        var (best, found) = (plan, violation)
        var size = best.steps.count / 2
        var runs = 0
        while size > 0, runs < maximumRuns {
            var start = 0
            var hasShrunk = false
            while start < best.steps.count, runs < maximumRuns {
                var candidate = best
                candidate.steps.removeSubrange(start..<min(start + size, candidate.steps.count))
                runs += 1
                let outcome = World(candidate, bug: bug, carriesBytes: carriesBytes).run()
                if let violation = outcome.violation, violation.invariant == found.invariant {
                    (best, found) = (candidate, violation)
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if !hasShrunk || size > 1 { size /= 2 }
        }
        return (best, found)
    }
}
