/// A reason for which no faults could be planted, for the person who asked.
struct PlanterError: Error, CustomStringConvertible {
    let description: String
}
