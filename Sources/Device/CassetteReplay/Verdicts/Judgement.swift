package import Foundation

/// The deviations of a replay, each with what was expected of it.
package struct Judgement: Sendable {
    package struct Finding: Sendable {
        package let deviation: Deviation
        /// The reason why it is intended; nil if it is not.
        package let reason: String?
        /// True if it was intended until a day that has passed.
        package let isExpired: Bool

        /// An intended change counts as one that a counterpart gets on with.
        package var verdict: Verdict {
            reason == nil || isExpired ? deviation.verdict : min(deviation.verdict, .equivalent)
        }
    }

    package let findings: [Finding]
    /// The expected changes that were not seen.
    package let unseen: [ExpectedChange]

    package var verdict: Verdict { findings.map(\.verdict).max() ?? .same }

    package init(_ deviations: [Deviation], expecting expected: [ExpectedChange], at now: Date) {
        findings = deviations.map { deviation in
            let known = expected.first { $0.change == deviation.name }
            return Finding(
                deviation: deviation, reason: known?.reason, isExpired: known.map { $0.until <= now } ?? false)
        }
        let names = Set(deviations.map(\.name))
        unseen = expected.filter { !names.contains($0.change) }
    }
}
