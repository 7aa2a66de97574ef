package import Cassettes

/// The comparison of two records of claims, claim by claim.
package struct ClaimComparison: Equatable, Sendable {
    package enum Verdict: String, CaseIterable, Sendable {
        /// Both have observed the same.
        case same
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

        package var verdict: Verdict {
            guard case .observed(let one) = first, case .observed(let other) = second else { return .notTried }
            return one == other ? .same : .different
        }
    }

    /// The result for a claim that only the other record has.
    private static let absent = ObservedClaim.Result.notTried("the record does not have it")

    /// In the order of the first record; what only the second one has comes last.
    package let rows: [Row]

    package init(_ first: ClaimRecord, _ second: ClaimRecord) { self.init(first.claims, second.claims) }

    init(_ first: [ObservedClaim], _ second: [ObservedClaim]) {
        let others = Dictionary(second.map { ($0.key, $0) }) { one, _ in one }
        let keys = Set(first.map(\.key))
        let pairs =
            first.map { ($0, $0.result, others[$0.key]?.result ?? Self.absent) }
            + second.filter { !keys.contains($0.key) }.map { ($0, Self.absent, $0.result) }
        var rows: [Row] = []
        for (claim, one, other) in pairs {
            let row = Row(id: claim.key.id, words: claim.words, sides: [claim.key.side], first: one, second: other)
            if let last = rows.indices.last, rows[last].isLike(row) {
                rows[last].sides += row.sides
            } else {
                rows.append(row)
            }
        }
        self.rows = rows
    }

    /// The number of observations with a verdict: each device counts.
    package func count(_ verdict: Verdict) -> Int {
        rows.filter { $0.verdict == verdict }.reduce(0) { $0 + $1.sides.count }
    }

    /// True if nothing that both have tried differs.
    package var isSame: Bool { count(.different) == 0 }
}

extension ClaimComparison.Row {
    /// Returns true if only the devices differ.
    fileprivate func isLike(_ other: Self) -> Bool {
        (id, words) == (other.id, other.words) && (first, second) == (other.first, other.second)
    }
}
