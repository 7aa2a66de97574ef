package import Foundation

/// The findings of a check of cassettes, each with what was expected of it.
package struct LintJudgement: Sendable {
    package struct Finding: Sendable {
        package let finding: LintFinding
        /// The reason why it is left; nil if it is not.
        package let reason: String?
        /// True if it was left until a day that has passed.
        package let isExpired: Bool

        /// True if it counts at a level: neither a note nor expected.
        package func counts(from level: LintLevel) -> Bool {
            finding.rule.level >= level && !finding.rule.isNote && (reason == nil || isExpired)
        }
    }

    package let findings: [Finding]
    /// The expected findings that were not seen.
    package let unseen: [ExpectedChange]

    package init(_ found: [LintFinding], expecting expected: [ExpectedChange], at now: Date) {
        findings = found.map { finding in
            let known = expected.first { $0.change == finding.name }
            return Finding(
                finding: finding, reason: known?.reason, isExpired: known.map { $0.until <= now } ?? false)
        }
        let names = Set(found.map(\.name))
        unseen = expected.filter { !names.contains($0.change) }
    }

    /// Returns the number of findings of one level that count.
    package func count(of level: LintLevel) -> Int {
        findings.count { $0.finding.rule.level == level && $0.counts(from: level) }
    }
}
