extension Publishers {
    /// A publisher of transformed values, which ends with the error of the transformation.
    public struct TryMap<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = any Error

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The transformation.
        public let transform: (Upstream.Output) throws -> Output

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let transform = transform
            upstream.subscribe(Relay(subscriber, attempting: { .pass(try transform($0)) }))
        }
    }
}

extension Publisher {
    /// Transforms each value; an error ends the sequence.
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
        Publishers.TryMap(upstream: self, transform: transform)
    }
}
