/// A performance in words: for each process when it ran, how it ended, what it decided, and what it wrote. The same performance
/// gives the same bytes.
package struct PerformanceText {
    private let performance: Performance

    package init(_ performance: Performance) { self.performance = performance }

    package var text: String {
        performance.processes.map { process in
            let span = "from \(process.span.lowerBound) to \(process.span.upperBound)"
            let parts = [process.output, process.errors].map { String(decoding: $0, as: UTF8.self) }
            let decisions = "\(process.world.decisions.count) decisions, \(process.world.fingerprint)"
            return "== \(process.name), \(span): \(fate(process))\n\(decisions)\n" + parts.joined()
        }.joined()
    }

    private func fate(_ process: ProcessOutcome) -> String {
        switch process.fate {
        case .ended(let ending): "\(ending)"
        case .killed: "killed"
        case .running: "ran until the end"
        }
    }
}
