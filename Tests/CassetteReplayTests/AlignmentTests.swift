import Testing

@testable import CassetteReplay

@Suite("The alignment of sequences")
struct AlignmentTests {
    private static func pairs(_ old: String, _ new: String) -> [String] {
        let (old, new) = (Array(old), Array(new))
        return Alignment(old.count, new.count) { old[$0] == new[$1] ? 0 : 9 }.pairs.map { "\($0.old)\($0.new)" }
    }

    @Test(
        "What is missing, new or swapped does not shift the rest",
        arguments: [
            ("", "", []), ("abc", "abc", ["00", "11", "22"]), ("abc", "ac", ["00", "21"]), ("ac", "abc", ["00", "12"]),
            ("abc", "bac", ["01", "10", "22"]), ("abcd", "badc", ["01", "10", "23", "32"]),
            ("abc", "axc", ["00", "11", "22"]),
            ("", "ab", []), ("ab", "", []), ("aab", "ab", ["00", "21"]),
        ])
    func examples(_ old: String, _ new: String, _ expected: [String]) {
        let pairs = Self.pairs(old, new)
        // Of equal elements either can be the one without a partner.
        #expect(pairs == expected || (old == "aab" && pairs == ["10", "21"]), "\(old) \(new): \(pairs)")
    }

    @Test("Long sequences are aligned in bounded memory, and each pair within the band is compared once")
    func long() {
        var comparisons = 0
        // Nothing is equal, so that neither beginning nor end is taken off.
        let pairs = Alignment(100_000, 100_000, most: 300) { _, _ in
            comparisons += 1
            return 1
        }.pairs
        #expect(pairs.count == 100_000)
        #expect(pairs.allSatisfy { $0.old == $0.new }, "\(pairs.first { $0.old != $0.new } ?? (0, 0))")
        // 129 columns, one beyond on either side, and the looks at beginning and end.
        #expect(comparisons <= 300 * 131 + 2, "\(comparisons)")
    }

    @Test("No element has two partners, whatever the sequences are")
    func partners() {
        for _ in 0..<200 {
            let make = { (0..<Int.random(in: 0..<30)).map { _ in Int.random(in: 0..<4) } }
            let (old, new) = (make(), make())
            let pairs = Alignment(old.count, new.count) { abs(old[$0] - new[$1]) * 3 }.pairs
            #expect(Set(pairs.map(\.old)).count == pairs.count && Set(pairs.map(\.new)).count == pairs.count)
            #expect(pairs.map(\.old) == pairs.map(\.old).sorted())
        }
    }
}
