extension Subscribers {
    /// A subscriber that sets a property to each value. It retains the object until the end.
    public final class Assign<Root, Input>: Subscriber, Cancellable {
        /// The subscriber cannot receive an error.
        public typealias Failure = Never

        private struct State {
            var upstream = Upstream()
            var object: Root?
        }

        private let state: Guarded<State>
        /// The property that is set.
        public let keyPath: ReferenceWritableKeyPath<Root, Input>

        /// Creates a subscriber for a property of an object.
        public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
            self.keyPath = keyPath
            state = Guarded(State(object: object))
        }

        /// The object whose property is set; nil after the end.
        public var object: Root? { state.with { $0.object } }

        /// Requests all values. A second subscription is cancelled.
        public func receive(subscription: any Subscription) {
            let isFirst = state.with { $0.upstream.take(subscription) }
            if isFirst { subscription.request(.unlimited) } else { subscription.cancel() }
        }

        /// Sets the property.
        public func receive(_ value: Input) -> Demand {
            if let object { object[keyPath: keyPath] = value }
            return .none
        }

        /// Releases the object.
        public func receive(completion: Completion<Never>) { _ = end() }

        /// Cancels the subscription, and releases the object.
        public func cancel() { end().upstream.subscription?.cancel() }

        private func end() -> State { state.exchange(State(upstream: .ended)) }
    }
}

extension Publisher where Failure == Never {
    /// Sets a property of an object to each value. The object is retained until the subscription ends.
    ///
    /// - Returns: A cancellable; the subscription ends when it is cancelled or released.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        let assign = Subscribers.Assign(object: object, keyPath: keyPath)
        subscribe(assign)
        return AnyCancellable(assign)
    }
}
