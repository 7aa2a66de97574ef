extension Publishers {
    /// A publisher of the values of the publishers that are made from an upstream's values.
    public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
    where NewPublisher.Failure == Upstream.Failure {
        /// The type of the values.
        public typealias Output = NewPublisher.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The largest number of publishers at a time.
        public let maxPublishers: Subscribers.Demand
        /// The closure that makes a publisher from a value.
        public let transform: (Upstream.Output) -> NewPublisher

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, maxPublishers: Subscribers.Demand,
            transform: @escaping (Upstream.Output) -> NewPublisher
        ) {
            self.upstream = upstream
            self.maxPublishers = maxPublishers
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (confluence, maxPublishers, transform) = (Confluence(subscriber), maxPublishers, transform)
            let outer = confluence.reserve()
            let source = Guarded<(any Subscription)?>(nil)
            upstream.subscribe(
                AnySubscriber<Upstream.Output, Failure>(
                    receiveSubscription: { subscription in
                        guard confluence.join(origin: subscription) else { return }
                        _ = source.exchange(subscription)
                        confluence.start()
                        subscription.request(maxPublishers)
                    },
                    receiveValue: { value in
                        guard !confluence.isEnded else { return .none }
                        confluence.add(transform(value), at: confluence.reserve()) {
                            source.with { $0 }?.request(.max(1))
                        }
                        return .none
                    },
                    receiveCompletion: { completion in
                        _ = source.take()
                        switch completion {
                        case .finished: confluence.leave(outer)
                        case .failure(let error): confluence.fail(error)
                        }
                    }))
        }
    }
}

extension Publisher {
    /// Makes a publisher from each value, and sends the values of all of them.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher where Failure == Never {
    /// Makes a publisher that can fail from each value, and sends the values of all of them.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
        setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
    }

    /// Makes a publisher that cannot fail from each value, and sends the values of all of them.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
        Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
    }
}

extension Publisher {
    /// Makes a publisher that cannot fail from each value, and sends the values of all of them.
    public func flatMap<P: Publisher>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
    ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
        flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
    }
}
