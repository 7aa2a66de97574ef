/// Decides when a companion tries to connect.
///
///     stopped ── start ──► connecting ── connected ──► connected
///                            ▲    └── failed ──► waiting ◄── lost ──┘
///                            └──── deadline ────────┘
///
/// Each event consumes the state and must produce the next one. An event that no driver may send in a state traps.
package struct ReconnectStateMachine: ~Copyable {
    /// Failures are counted in a row; a connection that held resets the count.
    private enum State: ~Copyable {
        /// Not started, or stopped permanently. Next: connecting.
        case stopped
        /// An attempt is in progress. Next: connected, waiting, stopped.
        case connecting(failures: Int)
        /// Next: waiting, stopped.
        case connected(since: MonotonicTime, failures: Int)
        /// The last attempt failed, or the connection was lost. Next: connecting, stopped.
        case waiting(until: MonotonicTime, failures: Int)
    }

    /// The age from which a lost connection counts as good, so that the back-off restarts with the shortest delay.
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
        case .connecting: preconditionFailure("started while connecting")
        case .connected: preconditionFailure("started while connected")
        case .waiting: preconditionFailure("started while waiting")
        }
    }

    package mutating func connected(at time: MonotonicTime) {
        switch consume state {
        case .stopped: preconditionFailure("connected without an attempt, while stopped")
        case .connecting(let failures): self = Self(.connected(since: time, failures: failures), backoff)
        case .connected: preconditionFailure("connected without an attempt, while connected")
        case .waiting: preconditionFailure("connected without an attempt, while waiting")
        }
    }

    /// Records a failed attempt or a lost connection.
    package mutating func failed(at time: MonotonicTime, jitter: Double) -> Action {
        let failures: Int
        switch consume state {
        case .stopped:
            // The connection that was open at the stop is closed afterwards.
            self = Self(.stopped, backoff)
            return .nothing
        case .connecting(let former): failures = former + 1
        case .connected(let since, let former): failures = time - since >= Self.goodAfter ? 1 : former + 1
        case .waiting: preconditionFailure("failed without an attempt, while waiting")
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

    /// Ends a wait immediately and resets the back-off, as the peer is probably reachable.
    package mutating func retryNow() -> Action {
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
