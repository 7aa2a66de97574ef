package import Foundation

/// The deviations of a replay, each with what was expected of it.
package struct Judgement: Sendable {
    package struct Finding: Sendable {
        package let deviation: Deviation
        package let expectation: Expectation
        /// True for a difference that the build does not have with another seed.
        package let isChance: Bool

        /// Creates a finding of which nothing was expected.
        package init(_ deviation: Deviation) {
            self.init(deviation, Expectation(of: deviation.name, among: [], at: Date()), isChance: false)
        }

        init(_ deviation: Deviation, _ expectation: Expectation, isChance: Bool) {
            (self.deviation, self.expectation, self.isChance) = (deviation, expectation, isChance)
        }

        /// An intended change counts as one that a counterpart gets on with, and so does chance.
        package var verdict: Verdict {
            expectation.isMet || isChance ? min(deviation.verdict, .equivalent) : deviation.verdict
        }
    }

    package let findings: [Finding]
    /// The expected changes that were not seen.
    package let unseen: [ExpectedChange]

    package var verdict: Verdict { findings.map(\.verdict).max() ?? .same }

    /// - Parameter chance: The positions of the deviations that the build does not have with another seed.
    package init(
        _ deviations: [Deviation], chance: Set<Int> = [], expecting expected: [ExpectedChange], at now: Date
    ) {
        findings = deviations.enumerated().map { index, deviation in
            Finding(
                deviation, Expectation(of: deviation.name, among: expected, at: now), isChance: chance.contains(index))
        }
        unseen = ExpectedChange.unseen(expected, among: deviations.map(\.name))
    }
}
