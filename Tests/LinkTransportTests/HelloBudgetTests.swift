import Testing

@testable import LinkTransport

@Suite("Budget of incomplete hellos")
struct HelloBudgetTests {
    @Test("All connections together keep as many bytes as the limit; one that exceeds it is forgotten")
    func limit() {
        let budget = HelloBudget(limit: 10)
        let kept = [
            budget.keep(6, for: 1), budget.keep(4, for: 2), budget.keep(1, for: 3), budget.keep(5, for: 2),
            budget.keep(4, for: 3), budget.keep(1, for: 4),
        ]
        #expect(kept == [true, true, false, false, true, false])
    }

    @Test("The bytes of a connection replace its earlier ones, and none are always possible")
    func replaced() {
        let budget = HelloBudget(limit: 10)
        let kept = [
            budget.keep(9, for: 1), budget.keep(10, for: 1), budget.keep(0, for: 2), budget.keep(0, for: 1),
            budget.keep(10, for: 2), budget.keep(11, for: 2), budget.keep(10, for: 3),
        ]
        #expect(kept == [true, true, true, true, true, false, true])
    }

    @Test("A connection that is forgotten gives its bytes back, once")
    func forgotten() {
        let budget = HelloBudget(limit: 10)
        let isKept = budget.keep(10, for: 1)
        #expect(isKept)
        budget.forget(1)
        budget.forget(1)
        budget.forget(2)
        let kept = [budget.keep(10, for: 2), budget.keep(1, for: 3)]
        #expect(kept == [true, false])
    }
}
