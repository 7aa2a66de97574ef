import Cassettes
import Configuration
import Foundation
import Testing

@testable import CassetteReplay

@Suite("Comparison of records of claims")
struct ClaimComparisonTests {
    private func claim(_ id: String, _ side: String, _ result: ObservedClaim.Result) -> ObservedClaim {
        ObservedClaim(.init(id: id, side: side), words: "The claim \(id)", result)
    }

    private func verdicts(_ comparison: ClaimComparison) -> [String] {
        comparison.rows.map { "\($0.id) \($0.sides.joined(separator: "+")) \($0.verdict.rawValue)" }
    }

    @Test("A claim is the same, different, or not tried, whichever side has not tried it")
    func each() {
        let first = [
            claim("a", "phone", .observed("1")), claim("b", "phone", .observed("1")),
            claim("c", "phone", .notTried("no")), claim("d", "phone", .observed("1")),
            claim("e", "phone", .notTried("no")),
        ]
        let second = [
            claim("a", "phone", .observed("1")), claim("b", "phone", .observed("2")),
            claim("c", "phone", .observed("1")), claim("d", "phone", .notTried("no")),
            claim("e", "phone", .notTried("no")),
        ]
        let comparison = ClaimComparison(first, second)
        let wanted = [
            "a phone same", "b phone different", "c phone not tried", "d phone not tried", "e phone not tried",
        ]
        #expect(verdicts(comparison) == wanted, "\(verdicts(comparison))")
        #expect(!comparison.isSame, "\(comparison)")
        #expect(
            [.same, .different, .notTried].map(comparison.count) == [1, 1, 3], "\(verdicts(comparison))")
    }

    @Test("A claim that one record does not have is not tried there, and its order is that of the first record")
    func absent() {
        let absent = ObservedClaim.Result.notTried("the record does not have it")
        let first = [claim("b", "phone", .observed("1")), claim("a", "phone", .observed("1"))]
        let second = [claim("c", "phone", .observed("1")), claim("a", "phone", .observed("1"))]
        let comparison = ClaimComparison(first, second)
        let wanted = ["b phone not tried", "a phone same", "c phone not tried"]
        #expect(verdicts(comparison) == wanted, "\(verdicts(comparison))")
        #expect(comparison.rows.first?.second == absent && comparison.rows.last?.first == absent, "\(comparison)")
        #expect(comparison.isSame, "what was not tried does not differ: \(comparison)")
    }

    @Test("Both devices stand together if they observed the same, and each counts")
    func sides() {
        let first = ["phone", "watch"].flatMap { side in
            ["a", "b"].map { claim($0, side, .observed("1")) }
        }.sorted { $0.key.id < $1.key.id }
        let second = [
            claim("a", "phone", .observed("1")), claim("a", "watch", .observed("1")),
            claim("b", "phone", .observed("1")), claim("b", "watch", .observed("2")),
        ]
        let comparison = ClaimComparison(first, second)
        let wanted = ["a phone+watch same", "b phone same", "b watch different"]
        #expect(verdicts(comparison) == wanted, "\(verdicts(comparison))")
        #expect(comparison.count(.same) == 3 && comparison.count(.different) == 1, "\(verdicts(comparison))")
    }

    private func expected(_ entries: String) throws -> [ExpectedChange] {
        try ExpectedChange.all(ConfigurationFile(content: "{ changes: [\(entries)] }", of: "expected.json5"))
    }

    @Test("A difference that is expected is none until its day, on either device, and one that is gone is told")
    func expectations() throws {
        let first =
            ["phone", "watch"].map { claim("a", $0, .observed("1")) } + [
                claim("b", "phone", .observed("1")), claim("c", "phone", .observed("1")),
                claim("d", "phone", .notTried("no")),
            ]
        let second =
            ["phone", "watch"].map { claim("a", $0, .observed("2")) } + [
                claim("b", "phone", .observed("2")), claim("c", "phone", .observed("1")),
                claim("d", "phone", .observed("1")),
            ]
        let changes = try expected(
            """
            { change: "a", reason: "known", until: "2026-05-01" }, { change: "b", reason: "old", until: "2026-04-01" },
            { change: "c", reason: "gone", until: "2026-05-01" }, { change: "d", reason: "untried", until: "2026-05-01" },
            { change: "e", reason: "no such claim", until: "2026-05-01" }
            """)
        let day = try Date("2026-04-15", strategy: .iso8601.year().month().day())
        let comparison = ClaimComparison(first, second, expecting: changes, at: day)
        let wanted = ["a phone+watch expected", "b phone different", "c phone same", "d phone not tried"]
        #expect(verdicts(comparison) == wanted, "\(verdicts(comparison))")
        #expect(comparison.count(.expected) == 2 && !comparison.isSame, "\(verdicts(comparison))")
        #expect(comparison.rows[0].expectation.words == "; expected: known", "\(comparison.rows)")
        #expect(
            comparison.rows[1].expectation.words == "; expected until a day that has passed: old", "\(comparison.rows)")
        #expect(comparison.unseen.map(\.change) == ["c", "e"], "\(comparison.unseen)")
        let later = ClaimComparison(first, second, expecting: changes, at: day.addingTimeInterval(30 * 86_400))
        #expect(verdicts(later)[0] == "a phone+watch different", "\(verdicts(later))")
    }
}
