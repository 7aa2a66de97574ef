import Testing

@testable import LinkProtocol

@Suite("Reconnect machine")
struct ReconnectTests {
    static let backoff = Backoff(initial: .milliseconds(100), maximum: .seconds(5))

    @Test("Delays double up to the limit, and jitter subtracts up to half")
    func delays() {
        let delays = (1...8).map { Self.backoff.delay(afterFailures: $0, jitter: 1).inSeconds }
        #expect(delays == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5])
        #expect(Self.backoff.delay(afterFailures: 1, jitter: 0) == .milliseconds(50))
        #expect(Self.backoff.delay(afterFailures: .max, jitter: 1) == .seconds(5))
    }

    @Test("The machine connects, waits after a failure, and connects again at the deadline")
    func cycle() {
        var machine = ReconnectStateMachine(backoff: Self.backoff)
        #expect(machine.start() == .connect)
        #expect(machine.failed(at: at(0), jitter: 1) == .wait(.milliseconds(100), until: at(0.1)))
        #expect(machine.deadlinePassed(at: at(0.05)) == .nothing)
        #expect(machine.deadlinePassed(at: at(0.1)) == .connect)
        #expect(machine.failed(at: at(0.2), jitter: 1) == .wait(.milliseconds(200), until: at(0.4)))
    }

    @Test("A stable connection resets the delay, a flapping one does not")
    func flapping() {
        var machine = ReconnectStateMachine(backoff: Self.backoff)
        _ = machine.start()
        _ = machine.failed(at: at(0), jitter: 1)
        _ = machine.deadlinePassed(at: at(1))
        machine.connected(at: at(1))
        #expect(machine.failed(at: at(2), jitter: 1) == .wait(.milliseconds(200), until: at(2.2)))
        _ = machine.deadlinePassed(at: at(3))
        machine.connected(at: at(3))
        #expect(machine.failed(at: at(9), jitter: 1) == .wait(.milliseconds(100), until: at(9.1)))
    }

    @Test("A stopped machine does nothing more")
    func stopped() {
        var machine = ReconnectStateMachine(backoff: Self.backoff)
        _ = machine.start()
        machine.stop()
        #expect(machine.failed(at: at(0), jitter: 1) == .nothing)
        let next = machine.nextDeadline
        #expect(next == nil)
    }
}
