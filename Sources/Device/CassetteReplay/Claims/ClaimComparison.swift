package import Cassettes
package import Foundation

/// The comparison of two records of claims, claim by claim.
package struct ClaimComparison: Equatable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable {
        /// Both have observed the same.
        case same
        /// Both have observed different things, as was expected.
        case expected
        /// At least one has not tried it.
        case notTried = "not tried"
        /// They have observed different things.
        case different
    }

    /// A claim and what both records have of it; for several devices if it is the same.
    package struct Row: Equatable, Sendable {
        package let id: String
        package let words: String
        package fileprivate(set) var sides: [String]
        package let first: ObservedClaim.Result
        package let second: ObservedClaim.Result
        /// The expectation of a difference.
        package let expectation: Expectation

        package var verdict: Verdict {
            guard case .observed(let one) = first, case .observed(let other) = second else { return .notTried }
            return one == other ? .same : expectation.isMet ? .expected : .different
        }
    }

    /// The result for a claim that only the other record has.
    private static let absent = ObservedClaim.Result.notTried("the record does not have it")

    /// In the order of the first record; what only the second one has comes last.
    package let rows: [Row]
    /// The expected differences of claims that both have observed alike, or that neither has.
    package let unseen: [ExpectedChange]

    /// - Parameter expected: The differences that are known, by the claims' names.
    package init(
        _ first: ClaimRecord, _ second: ClaimRecord, expecting expected: [ExpectedChange] = [], at now: Date = Date()
    ) { self.init(first.claims, second.claims, expecting: expected, at: now) }

    init(
        _ first: [ObservedClaim], _ second: [ObservedClaim], expecting expected: [ExpectedChange] = [],
        at now: Date = Date()
    ) {
        let others = Dictionary(second.map { ($0.key, $0) }) { one, _ in one }
        let keys = Set(first.map(\.key))
        let pairs =
            first.map { ($0, $0.result, others[$0.key]?.result ?? Self.absent) }
            + second.filter { !keys.contains($0.key) }.map { ($0, Self.absent, $0.result) }
        var rows: [Row] = []
        for (claim, one, other) in pairs {
            let row = Row(
                id: claim.key.id, words: claim.words, sides: [claim.key.side], first: one, second: other,
                expectation: Expectation(of: claim.key.id, among: expected, at: now))
            if let last = rows.indices.last, rows[last].isLike(row) {
                rows[last].sides += row.sides
            } else {
                rows.append(row)
            }
        }
        self.rows = rows
        unseen = ExpectedChange.unseen(expected, among: rows.filter { $0.verdict != .same }.map(\.id))
    }

    /// The number of observations with a verdict: each device counts.
    package func count(_ verdict: Verdict) -> Int {
        rows.filter { $0.verdict == verdict }.reduce(0) { $0 + $1.sides.count }
    }

    /// True if nothing that both have tried differs but what was expected.
    package var isSame: Bool { count(.different) == 0 }
}

extension ClaimComparison.Row {
    /// Returns true if only the devices differ.
    fileprivate func isLike(_ other: Self) -> Bool {
        (id, words) == (other.id, other.words) && (first, second) == (other.first, other.second)
    }
}
