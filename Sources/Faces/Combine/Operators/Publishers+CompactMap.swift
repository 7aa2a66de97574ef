extension Publishers {
    /// A publisher of transformed values without nil.
    public struct CompactMap<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The transformation; nil is not sent.
        public let transform: (Upstream.Output) -> Output?

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
            self.upstream = upstream
            self.transform = transform
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let transform = transform
            upstream.subscribe(Relay(subscriber) { value in transform(value).map { .pass($0) } ?? .skip })
        }
    }
}

extension Publisher {
    /// Transforms each value, and sends the results that are not nil.
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
        Publishers.CompactMap(upstream: self, transform: transform)
    }
}
