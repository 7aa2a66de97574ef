import Testing

@testable import LinkProtocol

@Suite("Bursts of failures")
struct FailureBurstTests {
    private let start = MonotonicTime(nanoseconds: 5_000_000_000)

    /// Returns the numbers of the failures that complete a burst.
    private func completions(_ count: Int, every pause: Duration) -> [Int] {
        var burst = FailureBurst()
        return (1...count).filter { burst.failed(at: start + pause * ($0 - 1)) }
    }

    @Test("A hundred failures within a second are a burst, told once a second")
    func burst() {
        #expect(completions(99, every: .zero) == [])
        #expect(completions(500, every: .zero) == [100])
        #expect(completions(500, every: .milliseconds(1)) == [100])
        // The first of the second burst comes a second after that of the first one.
        #expect(completions(1_200, every: .milliseconds(1)) == [100, 1_100])
    }

    @Test("The hundredth counts just before the end of the second, and not at its end")
    func limit() {
        #expect(completions(100, every: .seconds(1) / 99 - .nanoseconds(1)) == [100])
        #expect(completions(100, every: .seconds(1) / 99 + .nanoseconds(1)) == [])
        #expect(completions(300, every: .milliseconds(10)) == [100, 200, 300])
        #expect(completions(300, every: .milliseconds(11)) == [])
    }
}
