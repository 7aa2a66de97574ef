extension Publishers {
    /// A publisher of transformed values without nil, which ends with the error of the transformation.
    public struct TryCompactMap<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = any Error

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The transformation; nil is not sent.
        public let transform: (Upstream.Output) throws -> Output?

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let transform = transform
            upstream.subscribe(
                Relay(subscriber, attempting: { value in try transform(value).map { .pass($0) } ?? .skip }))
        }
    }
}

extension Publisher {
    /// Transforms each value, and sends the results that are not nil; an error ends the sequence.
    public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
        Publishers.TryCompactMap(upstream: self, transform: transform)
    }
}
