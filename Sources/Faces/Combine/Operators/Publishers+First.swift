extension Publishers {
    /// A publisher of the first value.
    public struct First<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Collector(subscriber, result: { nil }, step: { .done($0) }))
        }
    }
}

extension Publisher {
    /// Sends the first value, then finishes.
    public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }
}
