import LinkProtocol
import Testing

@testable import QuizSync

@Suite("The pause after a failure of the database")
struct StoreBreakerTests {
    private func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }

    private func answers(_ breaker: inout StoreBreaker, _ times: [Int64]) -> [Bool] {
        times.map { breaker.allows(at: at($0)) }
    }

    @Test("It ends by itself, and with a success")
    func ends() {
        var breaker = StoreBreaker()
        #expect(answers(&breaker, [0]) == [true])
        breaker.failed(at: at(0))
        #expect(breaker.isBroken)
        #expect(answers(&breaker, [100, 200]) == [false, true])
        let endsFailures = [breaker.succeeded(), breaker.succeeded()]
        #expect(endsFailures == [true, false])
        #expect(!breaker.isBroken)
    }

    @Test("When it ends between quizzes that were sent together, the later ones are not stored ahead")
    func round() {
        var breaker = StoreBreaker()
        breaker.failed(at: at(0))
        // The last is the next try of all of them.
        #expect(answers(&breaker, [199, 201, 220, 300]) == [false, false, false, true])
    }

    @Test("Who tries again sooner than the pause is let in all the same")
    func impatient() {
        var breaker = StoreBreaker()
        breaker.failed(at: at(0))
        #expect(answers(&breaker, [60, 120, 180, 240, 300]).contains(true))
    }
}
