extension Publishers {
    /// A publisher whose subscribers share one subscription to its upstream.
    public final class Share<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the values.
        public let upstream: Upstream
        private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

        /// Creates a publisher from its upstream.
        public init(upstream: Upstream) {
            self.upstream = upstream
            shared = upstream.multicast { PassthroughSubject() }.autoconnect()
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            shared.receive(subscriber: subscriber)
        }
    }
}

extension Publisher {
    /// Shares one subscription to this publisher among all subscribers.
    public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}
