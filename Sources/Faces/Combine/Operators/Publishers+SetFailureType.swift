extension Publishers {
    /// A publisher that cannot fail, with the type of an error.
    public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
        /// The type of the values.
        public typealias Output = Upstream.Output

        /// The publisher of the original values.
        public let upstream: Upstream

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber, ending: { _ in .finished }, step: { .pass($0) }))
        }
    }
}

extension Publisher where Failure == Never {
    /// Changes the type of the error.
    public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
        Publishers.SetFailureType(upstream: self)
    }
}
