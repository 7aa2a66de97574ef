extension Publishers {
    /// A publisher of the end only.
    public struct IgnoreOutput<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Never
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) { self.upstream = upstream }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            upstream.subscribe(Relay(subscriber) { (_: Upstream.Output) in .skip })
        }
    }
}

extension Publisher {
    /// Sends only the end.
    public func ignoreOutput() -> Publishers.IgnoreOutput<Self> { Publishers.IgnoreOutput(upstream: self) }
}
