extension Publishers {
    /// A publisher with transformed errors.
    public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The transformation.
        public let transform: (Upstream.Failure) -> Failure

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let transform = transform
            upstream.subscribe(Relay(subscriber, ending: { $0.mapError(transform) }, step: { .pass($0) }))
        }
    }
}

extension Publisher {
    /// Transforms the error.
    public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
        Publishers.MapError(upstream: self, transform: transform)
    }
}
