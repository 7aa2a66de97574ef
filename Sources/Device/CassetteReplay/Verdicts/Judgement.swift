package import Foundation

/// The deviations of a replay, each with what was expected of it.
package struct Judgement: Sendable {
    package struct Finding: Sendable {
        package let deviation: Deviation
        package let expectation: Expectation

        /// Creates a finding of which nothing was expected.
        package init(_ deviation: Deviation) {
            self.init(deviation, Expectation(of: deviation.name, among: [], at: Date()))
        }

        init(_ deviation: Deviation, _ expectation: Expectation) {
            (self.deviation, self.expectation) = (deviation, expectation)
        }

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
            Finding($0, Expectation(of: $0.name, among: expected, at: now))
        }
        unseen = ExpectedChange.unseen(expected, among: deviations.map(\.name))
    }
}
