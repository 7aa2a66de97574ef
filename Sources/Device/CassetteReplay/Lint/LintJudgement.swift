package import Foundation

/// The findings of a check of cassettes, each with what was expected of it.
package struct LintJudgement: Sendable {
    package struct Finding: Sendable {
        package let finding: LintFinding
        package let expectation: Expectation

        /// True if it counts at a level: neither a note nor expected.
        package func counts(from level: LintLevel) -> Bool {
            finding.rule.level >= level && !finding.rule.isNote && !expectation.isMet
        }
    }

    package let findings: [Finding]
    /// The expected findings that were not seen.
    package let unseen: [ExpectedChange]

    package init(_ found: [LintFinding], expecting expected: [ExpectedChange], at now: Date) {
        findings = found.map {
            Finding(finding: $0, expectation: Expectation(of: $0.name, among: expected, at: now))
        }
        unseen = ExpectedChange.unseen(expected, among: found.map(\.name))
    }

    /// Returns the number of findings of one level that count.
    package func count(of level: LintLevel) -> Int {
        findings.count { $0.finding.rule.level == level && $0.counts(from: level) }
    }
}
