import Foundation
import Processes
import Testing

extension BackgroundProcess {
    /// Waits until `count` lines contain a text; records an issue with the last lines if they do not come.
    func expectLines(
        _ count: Int = 1, containing text: String, within limit: DispatchTimeInterval = TestBench.limit,
        _ sourceLocation: SourceLocation = #_sourceLocation
    ) {
        if waitForLines(count, containing: text, within: limit) { return }
        let (lines, ending) = (lines, termination)
        let end = ending.map { $0.reason == .exit ? "ended with code \($0.number)" : "ended by signal \($0.number)" }
        Issue.record(
            """
            \(label) printed \(lines.count { $0.contains(text) }) of \(count) lines containing “\(text)” and \
            \(end ?? "still runs"); its last lines are
            \(lines.suffix(20).joined(separator: "\n"))
            """, sourceLocation: sourceLocation)
    }
}
