/// A performance as text: for each process its life span, its ending, its decisions and its output. The same
/// performance gives the same bytes.
package struct PerformanceText {
    private let performance: Performance
    private let hasSteps: Bool

    /// - Parameter hasSteps: True to include the trace of each world, and its decisions that are not dull.
    package init(_ performance: Performance, hasSteps: Bool = false) {
        (self.performance, self.hasSteps) = (performance, hasSteps)
    }

    /// The text.
    package var text: String {
        performance.processes.map { process in
            let span = "from \(process.span.lowerBound) to \(process.span.upperBound)"
            let parts = [process.output, process.errors].map { String(decoding: $0, as: UTF8.self) }
            let decisions = "\(process.world.decisions.count) decisions, \(process.world.fingerprint)"
            let steps = hasSteps ? steps(process.world) : ""
            return "== \(process.name), \(span): \(fate(process))\n\(decisions)\n" + parts.joined() + steps
        }.joined()
    }

    private func steps(_ world: Outcome) -> String {
        world.followed.departures.map { "\($0)\n" }.joined() + world.trace
    }

    private func fate(_ process: ProcessOutcome) -> String {
        switch process.fate {
        case .ended(let ending): "\(ending)"
        case .killed: "killed"
        case .running: "ran until the end"
        }
    }
}
