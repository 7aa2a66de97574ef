extension Publishers {
    /// A publisher that connects with its first subscriber, and disconnects when its last one has cancelled.
    public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        private struct State {
            var subscribers = 0
            var connection: (any Cancellable)?
        }

        /// The publisher that is connected.
        public let upstream: Upstream
        private let state = Guarded(State())

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isFirst = state.with { state in
                state.subscribers += 1
                return state.subscribers == 1
            }
            let leave = { [state] in
                let connection = state.with { state -> (any Cancellable)? in
                    state.subscribers -= 1
                    guard state.subscribers == 0 else { return nil }
                    let connection = state.connection
                    state.connection = nil
                    return connection
                }
                connection?.cancel()
            }
            upstream.subscribe(
                Relay<Output, Failure, S>(
                    subscriber, watch: .init(cancelled: leave, completed: { _ in leave() }), step: { .pass($0) }))
            if isFirst { connect() }
        }

        private func connect() {
            let connection = upstream.connect()
            let isWanted = state.with { state in
                guard state.subscribers > 0 else { return false }
                state.connection = connection
                return true
            }
            // All subscribers cancelled while it was made.
            if !isWanted { connection.cancel() }
        }
    }
}
