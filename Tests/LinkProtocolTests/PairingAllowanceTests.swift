import Testing

@testable import LinkProtocol

@Suite("Limits of pairing")
struct PairingAllowanceTests {
    @Test("A burst may pair, then one watch per second, and after any pause no more than the burst")
    func allowance() {
        var allowance = PairingAllowance()
        func pair(_ seconds: Double) -> Bool {
            guard allowance.isLeft(at: at(seconds)) else { return false }
            allowance.take()
            return true
        }
        let burst = (0...LinkLimits.newCompanions).map { _ in pair(0) }
        let count = burst.count { $0 }
        #expect(count == LinkLimits.newCompanions)
        #expect(burst.last == false)
        let later = [0.5, 1, 1, 1.75, 2, 2].map { pair($0) }
        #expect(later == [false, true, false, false, true, false])
        let paused = (0...LinkLimits.newCompanions).map { _ in pair(1_000_000) }
        let pausedCount = paused.count { $0 }
        #expect(pausedCount == LinkLimits.newCompanions)
    }

    @Test("A question alone takes nothing")
    func asked() {
        var allowance = PairingAllowance()
        let answers = (0..<(2 * LinkLimits.newCompanions)).filter { _ in !allowance.isLeft(at: at(0)) }
        #expect(answers == [])
    }

    @Test("After the last of a burst one second must pass, however often it is asked in between")
    func last() {
        var allowance = PairingAllowance()
        _ = allowance.isLeft(at: at(10))
        for _ in 1..<LinkLimits.newCompanions { allowance.take() }
        let one = [10, 10].map { allowance.isLeft(at: at($0)) }
        #expect(one == [true, true])
        allowance.take()
        let next = [10, 10.25, 10.5, 10.75, 11].map { allowance.isLeft(at: at($0)) }
        #expect(next == [false, false, false, false, true])
    }

    @Test("A code has five attempts")
    func attempts() {
        var code = PairingCode(hash: "h")
        let attempts = (0..<7).map { _ in code.spendAttempt() }
        #expect(attempts == [true, true, true, true, true, false, false])
        #expect(code.attemptsLeft == 0)
        var last = PairingCode(hash: "h", attemptsLeft: 1)
        let lastAttempts = [0, 1].map { _ in last.spendAttempt() }
        #expect(lastAttempts == [true, false])
    }
}
