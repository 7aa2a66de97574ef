/// When a companion tries to connect.
///
///     stopped ── start ──► connecting ── connected ──► connected
///                            ▲    └── failed ──► waiting ◄── lost ──┘
///                            └──── deadline ────────┘
package struct ReconnectStateMachine {
    private enum State {
        case stopped
        case connecting
        case connected(since: MonotonicTime)
        case waiting(until: MonotonicTime)
    }

    /// A connection that held this long was good: the next loss starts with the shortest delay again.
    private static let goodAfter: Duration = .seconds(5)

    private var state = State.stopped
    private var failures = 0
    private let backoff: Backoff

    package init(backoff: Backoff) {
        self.backoff = backoff
    }

    package enum Action: Equatable, Sendable {
        case nothing
        case connect
        case wait(Duration, until: MonotonicTime)
    }

    package mutating func start() -> Action {
        guard case .stopped = state else { return .nothing }
        state = .connecting
        return .connect
    }

    package mutating func connected(at time: MonotonicTime) {
        guard case .connecting = state else { return }
        state = .connected(since: time)
    }

    /// The try failed, or the connection is lost.
    package mutating func failed(at time: MonotonicTime, jitter: Double) -> Action {
        switch state {
        case .stopped, .waiting: return .nothing
        case .connected(let since): failures = time - since >= Self.goodAfter ? 1 : failures + 1
        case .connecting: failures += 1
        }
        let delay = backoff.delay(afterFailures: failures, jitter: jitter)
        state = .waiting(until: time + delay)
        return .wait(delay, until: time + delay)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> Action {
        guard case .waiting(let until) = state, time >= until else { return .nothing }
        state = .connecting
        return .connect
    }

    /// There is reason to think that the peer is there: a wait ends now, and the delays begin anew.
    package mutating func hurry() -> Action {
        guard case .waiting = state else { return .nothing }
        failures = 0
        state = .connecting
        return .connect
    }

    package mutating func stop() { state = .stopped }

    package var nextDeadline: MonotonicTime? {
        guard case .waiting(let until) = state else { return nil }
        return until
    }
}
