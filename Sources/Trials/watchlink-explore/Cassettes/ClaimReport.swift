import CassetteReplay
import Cassettes
import Configuration
import ServiceRuntime

/// The comparison of two records of claims: as text or JSON, and as JUnit XML for a CI server.
struct ClaimReport {
    private let first: ClaimRecord
    private let second: ClaimRecord
    private let comparison: ClaimComparison

    init(_ first: ClaimRecord, _ second: ClaimRecord, _ comparison: ClaimComparison) {
        (self.first, self.second, self.comparison) = (first, second, comparison)
    }

    // MARK: - Text

    /// The comparison for people. Differences come last, where a terminal shows them.
    var text: String {
        let head = [first, second].map { "\($0.path): \(Self.pair($0))" }
        let groups = ClaimComparison.Verdict.allCases.flatMap { verdict -> [String] in
            let rows = comparison.rows.filter { $0.verdict == verdict }
            return rows.isEmpty ? [] : ["", verdict.rawValue] + rows.flatMap(lines)
        }
        let unseen = comparison.unseen.map(\.unseenWords)
        return (head + groups + (unseen.isEmpty ? [] : [""] + unseen) + ["", sum]).joined(separator: "\n")
    }

    private static func pair(_ record: ClaimRecord) -> String {
        record.phone == record.watch ? record.phone : "\(record.phone) with \(record.watch)"
    }

    private func lines(_ row: ClaimComparison.Row) -> [String] {
        let head = "  \(row.id), \(row.sides.joined(separator: " and ")): \(row.words)"
        switch row.verdict {
        case .same: return [head + Self.observation(row.first)]
        case .notTried: return [head, line(first, row.first), line(second, row.second)]
        case .expected, .different:
            return [head + row.expectation.words, line(first, row.first), line(second, row.second)]
        }
    }

    private static func observation(_ result: ObservedClaim.Result) -> String {
        if case .observed(let text) = result { " – \(text)" } else { "" }
    }

    private func line(_ record: ClaimRecord, _ result: ObservedClaim.Result) -> String {
        let width = max(first.path.count, second.path.count)
        let name = record.path + String(repeating: " ", count: width - record.path.count)
        switch result {
        case .observed(let text): return "      \(name)  \(text)"
        case .notTried(let reason): return "      \(name)  not tried: \(reason)"
        }
    }

    private var sum: String {
        let counts = ClaimComparison.Verdict.allCases.map { "\(comparison.count($0)) \($0.rawValue)" }
        let claims = Set(comparison.rows.map(\.id)).count
        let observations = comparison.rows.reduce(0) { $0 + $1.sides.count }
        return "\(claims) claims, \(observations) observations: \(counts.joined(separator: ", "))"
    }

    // MARK: - Machines

    var json: JSONValue {
        [
            "first": Self.json(first), "second": Self.json(second),
            "same": .integer(Int64(comparison.count(.same))),
            "expected": .integer(Int64(comparison.count(.expected))),
            "different": .integer(Int64(comparison.count(.different))),
            "notTried": .integer(Int64(comparison.count(.notTried))),
            "unseen": .array(comparison.unseen.map { .string($0.change) }),
            "claims": .array(
                comparison.rows.flatMap { row in
                    row.sides.map { side in
                        [
                            "id": .string(row.id), "side": .string(side), "claim": .string(row.words),
                            "verdict": .string(row.verdict.rawValue), "first": Self.json(row.first),
                            "second": Self.json(row.second),
                            "reason": row.expectation.reason.map { .string($0) } ?? .null,
                            "expired": .boolean(row.expectation.isExpired),
                        ]
                    }
                }),
        ]
    }

    private static func json(_ record: ClaimRecord) -> JSONValue {
        ["path": .string(record.path), "phone": .string(record.phone), "watch": .string(record.watch)]
    }

    private static func json(_ result: ObservedClaim.Result) -> JSONValue {
        switch result {
        case .observed(let text): ["observed": .string(text)]
        case .notTried(let reason): ["notTried": .string(reason)]
        }
    }

    /// A test for each claim that both have tried.
    var junit: JUnitDocument {
        let cases = comparison.rows.filter { $0.verdict != .notTried }.flatMap { row in
            row.sides.map { side in
                JUnitDocument.Case(
                    name: "\(row.id), \(side)",
                    failure: row.verdict == .different
                        ? lines(row).joined(separator: "\n") : nil)
            }
        }
        return JUnitDocument([
            JUnitDocument.Suite(
                name: "watchlink replay \(first.path)", properties: ["subject": second.path], seconds: 0, cases: cases)
        ])
    }
}
