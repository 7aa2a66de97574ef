import KeyedArchive
import Testing

@Suite("Counting archives of a kind")
struct OccurrenceCounterTests {
    /// True for the eighth of some archives only.
    private func onlyEighth(of count: Int) -> [Bool] { (1...count).map { $0 == 8 } }

    @Test("The eighth archive of a kind justifies a template, no earlier and no later one")
    func eighth() {
        var counter = OccurrenceCounter<String>()
        let first = (1...20).map { _ in counter.add("a") }
        #expect(first == onlyEighth(of: 20))
        let second = (1...8).map { _ in counter.add("b") }
        #expect(second == onlyEighth(of: 8))
    }

    @Test("Counting restarts when 1,024 kinds are counted", arguments: [1023, 1024])
    func restart(_ kinds: Int) {
        var counter = OccurrenceCounter<Int>()
        for _ in 1...7 { _ = counter.add(0) }
        for kind in 1..<kinds { _ = counter.add(kind) }
        let isEighth = counter.add(0)
        #expect(isEighth == (kinds == 1023))
    }

    @Test("After a restart each kind is counted from the beginning")
    func removed() {
        var counter = OccurrenceCounter<Int>()
        for _ in 1...7 { _ = counter.add(0) }
        counter.removeAll()
        let counted = (1...8).map { _ in counter.add(0) }
        #expect(counted == onlyEighth(of: 8))
    }
}
