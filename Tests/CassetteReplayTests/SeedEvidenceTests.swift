import Foundation
import Testing

@testable import CassetteReplay

/// What differs in some courses of a build, and not in others.
@Suite("Differences that come and go with the seed")
struct SeedEvidenceTests {
    private static func deviation(_ event: Int?, _ kind: Deviation.Kind, _ name: String = "sendMessage") -> Deviation {
        Deviation(recorded: event, replayed: event == nil ? 9 : nil, event: name, kind)
    }

    /// Returns the events of a course's differences that are no chance.
    private static func left(_ first: [Deviation], _ others: [[Deviation]]) -> [Int?] {
        let chance = SeedEvidence(others).chance(first)
        return first.indices.filter { !chance.contains($0) }.map { first[$0].recorded }
    }

    @Test("An order is chance if one course has the recorded one, and none if each has changed it")
    func orders() {
        let first = [Self.deviation(5, .order), Self.deviation(7, .order), Self.deviation(9, .order)]
        let others = [[first[0], first[2]], [first[1], first[2]]]
        #expect(Self.left(first, others) == [9])
        #expect(Self.left(first, []) == [5, 7, 9], "one course shows nothing")
    }

    @Test("As many are missing as in the course with the fewest, whichever of them it is told of")
    func missing() {
        let (one, two) = (Self.deviation(5, .missing), Self.deviation(7, .missing))
        #expect(Self.left([one], [[]]) == [])
        #expect(Self.left([one], [[two], [two]]) == [5], "each course lacks one")
        #expect(Self.left([one, two], [[two]]) == [7], "the one that each lacks")
        #expect(Self.left([Self.deviation(nil, .extra)], [[Self.deviation(nil, .extra)]]) == [nil])
        #expect(Self.left([Self.deviation(nil, .extra)], [[one]]) == [])
    }

    @Test("A failure, a lost answer and a contract are no chance")
    func failures() {
        let first = [
            Self.deviation(5, .ending("ended"), "program"), Self.deviation(5, .missing, "reply"),
            Self.deviation(6, .unanswered, "reply"), Self.deviation(7, .contract(part: "", "x")),
        ]
        #expect(Self.left(first, [[]]) == [5, 5, 6, 7])
    }

    @Test("Chance counts as equivalent, and more keys stay what they are")
    func verdict() {
        let first = [Self.deviation(5, .order), Self.deviation(6, .occasion)]
        let judgement = Judgement(
            first, chance: SeedEvidence([[]]).chance(first), expecting: [], at: Date(timeIntervalSince1970: 0))
        #expect(judgement.verdict == .equivalent)
        #expect(judgement.findings.map(\.isChance) == [true, false])
    }
}
