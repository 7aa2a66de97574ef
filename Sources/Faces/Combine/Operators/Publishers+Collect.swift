extension Publishers {
    /// A publisher of all values as one array.
    public struct Collect<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = [Upstream.Output]
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var values: Output = []
            upstream.subscribe(
                Collector(subscriber, result: { values }) { value in
                    values.append(value)
                    return .more
                })
        }
    }
}

extension Publisher {
    /// Sends all values as one array when the sequence finishes.
    public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}
