package import Foundation

/// The deviations of a replay, each with what was expected of it.
package struct Judgement: Sendable {
    package struct Finding: Sendable {
        package let deviation: Deviation
        package let expectation: Expectation

        /// An intended change counts as one that a counterpart gets on with.
        package var verdict: Verdict {
            expectation.isMet ? min(deviation.verdict, .equivalent) : deviation.verdict
        }
    }

    package let findings: [Finding]
    /// The expected changes that were not seen.
    package let unseen: [ExpectedChange]

    package var verdict: Verdict { findings.map(\.verdict).max() ?? .same }

    package init(_ deviations: [Deviation], expecting expected: [ExpectedChange], at now: Date) {
        findings = deviations.map {
            Finding(deviation: $0, expectation: Expectation(of: $0.name, among: expected, at: now))
        }
        unseen = ExpectedChange.unseen(expected, among: deviations.map(\.name))
    }
}
