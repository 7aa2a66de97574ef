/// A performance in words: for each process when it ran, how it ended, what it decided, and what it wrote. The same performance
/// gives the same bytes.
package struct PerformanceText {
    private let performance: Performance
    private let hasSteps: Bool

    /// - Parameter hasSteps: Also what each world's own trace has, and its decisions that are not dull.
    package init(_ performance: Performance, hasSteps: Bool = false) {
        (self.performance, self.hasSteps) = (performance, hasSteps)
    }

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
