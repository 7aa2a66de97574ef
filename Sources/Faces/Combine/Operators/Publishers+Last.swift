extension Publishers {
    /// A publisher of the last value.
    public struct Last<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var last: Output?
            upstream.subscribe(
                Collector(subscriber, result: { last }) { value in
                    last = value
                    return .more
                })
        }
    }
}

extension Publisher {
    /// Sends the last value when the sequence finishes.
    public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }
}
