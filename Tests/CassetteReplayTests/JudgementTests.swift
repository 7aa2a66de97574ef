import Configuration
import Foundation
import Testing

@testable import CassetteReplay

@Suite("Expected changes")
struct JudgementTests {
    private static let deviation = Deviation(
        recorded: 3, replayed: 4, event: "reply", .content(ContentChange("title", .missing)))

    private static func expected(_ text: String) throws -> [ExpectedChange] {
        try ExpectedChange.all(try ConfigurationFile(content: text, of: "expected.json5"))
    }

    private static func day(_ text: String) throws -> Date { try Date(text + "T12:00:00Z", strategy: .iso8601) }

    @Test("An expected change is none until its day has passed")
    func days() throws {
        let expected = try Self.expected(
            #"{changes: [{change: "reply title key-missing", reason: "it is in the context", until: "2027-01-31"}]}"#)
        let now = Judgement([Self.deviation], expecting: expected, at: try Self.day("2027-01-31"))
        #expect(now.verdict == .equivalent)
        #expect(now.findings.map(\.expectation.reason) == ["it is in the context"])
        let later = Judgement([Self.deviation], expecting: expected, at: try Self.day("2027-02-01"))
        #expect(later.verdict == .changed)
        #expect(later.findings.map(\.expectation.isExpired) == [true])
        #expect(now.unseen == [] && Judgement([], expecting: expected, at: Date()).unseen == expected)
        #expect(Judgement([], expecting: expected, at: Date()).verdict == .same)
    }

    @Test(
        "A change without its words is refused",
        arguments: [
            (#"{changes: [{reason: "a", until: "2027-01-31"}]}"#, "change"),
            (#"{changes: [{change: "a", reason: "b", until: "2027-02-30"}]}"#, "until"),
            (#"{changes: [{change: "a", until: "2027-01-31"}]}"#, "reason"),
            (#"{changes: [{change: "", reason: "b", until: "2027-01-31"}]}"#, "change"),
            (#"{changes: [{change: "a", reason: "b"}]}"#, "until"),
            (#"{changes: [{change: "a", reason: "b", until: "31.1.2027"}]}"#, "until"),
            (#"{changes: [{change: "a", reason: "b", until: "2027-01-31", more: 1}]}"#, "more"),
            (#"{change: []}"#, "change"),
        ])
    func wrong(_ text: String, _ key: String) {
        #expect { try Self.expected(text) } throws: { "\($0)".contains(key) && ($0 as? ConfigurationError)?.line == 1 }
    }
}
