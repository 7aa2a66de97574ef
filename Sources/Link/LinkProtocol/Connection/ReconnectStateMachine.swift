/// When a companion tries to connect.
///
///     stopped ── start ──► connecting ── connected ──► connected
///                            ▲    └── failed ──► waiting ◄── lost ──┘
///                            └──── deadline ────────┘
///
/// Each event takes the state and has to give one back. One that no driver may send in a state ends the program.
package struct ReconnectStateMachine: ~Copyable {
    /// Failures are those in a row; a connection that held is the end of them.
    private enum State: ~Copyable {
        /// Not started, or stopped for good. Can become: connecting.
        case stopped
        /// A try is under way. Can become: connected, waiting, stopped.
        case connecting(failures: Int)
        /// Can become: waiting, stopped.
        case connected(since: MonotonicTime, failures: Int)
        /// The last try failed, or the connection was lost. Can become: connecting, stopped.
        case waiting(until: MonotonicTime, failures: Int)
    }

    /// A connection that held this long was good: the next loss starts with the shortest delay again.
    private static let goodAfter: Duration = .seconds(5)

    private var state: State
    private let backoff: Backoff

    package init(backoff: Backoff) { self.init(.stopped, backoff) }

    private init(_ state: consuming State, _ backoff: Backoff) {
        self.state = state
        self.backoff = backoff
    }

    package enum Action: Equatable, Sendable {
        case nothing
        case connect
        case wait(Duration, until: MonotonicTime)
    }

    package mutating func start() -> Action {
        switch consume state {
        case .stopped:
            self = Self(.connecting(failures: 0), backoff)
            return .connect
        case .connecting: preconditionFailure("a start while connecting")
        case .connected: preconditionFailure("a start while connected")
        case .waiting: preconditionFailure("a start while waiting")
        }
    }

    package mutating func connected(at time: MonotonicTime) {
        switch consume state {
        case .stopped: preconditionFailure("a connection that nobody made, while stopped")
        case .connecting(let failures): self = Self(.connected(since: time, failures: failures), backoff)
        case .connected: preconditionFailure("a connection that nobody made, while connected")
        case .waiting: preconditionFailure("a connection that nobody made, while waiting")
        }
    }

    /// The try failed, or the connection is lost.
    package mutating func failed(at time: MonotonicTime, jitter: Double) -> Action {
        let failures: Int
        switch consume state {
        case .stopped:
            // The connection that was there ends after the stop.
            self = Self(.stopped, backoff)
            return .nothing
        case .connecting(let former): failures = former + 1
        case .connected(let since, let former): failures = time - since >= Self.goodAfter ? 1 : former + 1
        case .waiting: preconditionFailure("a try failed that nobody made, while waiting")
        }
        let delay = backoff.delay(afterFailures: failures, jitter: jitter)
        self = Self(.waiting(until: time + delay, failures: failures), backoff)
        return .wait(delay, until: time + delay)
    }

    package mutating func deadlinePassed(at time: MonotonicTime) -> Action {
        switch consume state {
        case .stopped: preconditionFailure("a deadline passed while stopped")
        case .connecting: preconditionFailure("a deadline passed while connecting")
        case .connected: preconditionFailure("a deadline passed while connected")
        case .waiting(let until, let failures):
            guard time >= until else {
                self = Self(.waiting(until: until, failures: failures), backoff)
                return .nothing
            }
            self = Self(.connecting(failures: failures), backoff)
            return .connect
        }
    }

    /// There is reason to think that the peer is there: a wait ends now, and the delays begin anew.
    package mutating func hurry() -> Action {
        switch consume state {
        case .stopped: self = Self(.stopped, backoff)
        case .connecting(let failures): self = Self(.connecting(failures: failures), backoff)
        case .connected(let since, let failures): self = Self(.connected(since: since, failures: failures), backoff)
        case .waiting:
            self = Self(.connecting(failures: 0), backoff)
            return .connect
        }
        return .nothing
    }

    package mutating func stop() { self = Self(.stopped, backoff) }

    package var nextDeadline: MonotonicTime? {
        switch state {
        case .stopped: nil
        case .connecting: nil
        case .connected: nil
        case .waiting(let until, _): until
        }
    }
}
