import Testing

@testable import LinkTransport

@Suite("Memory of connections")
struct MemoryTests {
    @Test("All unfinished hellos together stay below their limit, which may be met exactly")
    func greetings() {
        let greetings = HelloBudget(limit: 100)
        #expect(greetings.keep(60, for: 1))
        #expect(greetings.keep(40, for: 2))
        #expect(!greetings.keep(1, for: 3))
        // An honest hello comes in one piece.
        #expect(greetings.keep(0, for: 3))
        // One that grows is counted once.
        #expect(!greetings.keep(61, for: 1))
        greetings.forget(2)
        #expect(greetings.keep(100, for: 1))
        greetings.forget(1)
        greetings.forget(1)
        #expect(greetings.keep(100, for: 4))
    }

    @Test("Memory is given back at each halving of a crowd, and never for a few")
    func trimming() {
        var rule = TrimRule(least: 256)
        /// The amounts at which it says so.
        func given(_ amounts: [Int]) -> [Int] { amounts.filter { rule.changed(to: $0) } }
        #expect(given(Array(0...1_500)) == [])
        #expect(given((0...1_500).reversed()) == [750, 375, 187])
        #expect(given(Array(0..<256)) == [])
        #expect(given([0]) == [])
    }

    @Test("The least crowd counts, and so does exactly half of it; then half of what is left")
    func least() {
        var rule = TrimRule(least: 10)
        let given = [9, 4, 10, 6, 5, 10, 5, 11, 5].map { rule.changed(to: $0) }
        #expect(given == [false, false, false, false, true, false, true, false, true])
    }
}
