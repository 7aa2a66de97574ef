extension Subscribers {
    /// A subscriber that requests all values and passes them to closures.
    public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
        private struct State {
            var upstream = Upstream()
            var receiveValue: ((Input) -> Void)?
            var receiveCompletion: ((Completion<Failure>) -> Void)?
        }

        private let state: Guarded<State>

        /// Creates a subscriber with closures for the end and for each value.
        public init(
            receiveCompletion: @escaping ((Completion<Failure>) -> Void), receiveValue: @escaping ((Input) -> Void)
        ) {
            state = Guarded(State(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
        }

        /// Requests all values. A second subscription is cancelled.
        public func receive(subscription: any Subscription) {
            let isFirst = state.with { $0.upstream.take(subscription) }
            if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        /// Passes a value to the closure.
        public func receive(_ value: Input) -> Demand {
            state.with { $0.receiveValue }?(value)
            return .none
        }

        /// Passes the end to the closure, and releases both closures.
        public func receive(completion: Completion<Failure>) { end().receiveCompletion?(completion) }

        /// Cancels the subscription, and releases the closures.
        public func cancel() { end().upstream.subscription?.cancel() }

        /// Returns the state from before the end.
        private func end() -> State { state.exchange(State(upstream: .ended)) }
    }
}

extension Publisher {
    /// Attaches a subscriber with closures for the end and for each value.
    ///
    /// - Returns: A cancellable; the subscription ends when it is cancelled or released.
    public func sink(
        receiveCompletion: @escaping ((Subscribers.Completion<Failure>) -> Void),
        receiveValue: @escaping ((Output) -> Void)
    ) -> AnyCancellable {
        let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
        subscribe(sink)
        return AnyCancellable(sink)
    }
}

extension Publisher where Failure == Never {
    /// Attaches a subscriber with a closure for each value.
    ///
    /// - Returns: A cancellable; the subscription ends when it is cancelled or released.
    public func sink(receiveValue: @escaping ((Output) -> Void)) -> AnyCancellable {
        sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
    }
}
