extension Publishers {
    /// A publisher that subscribes to its upstream again when that fails.
    public struct Retry<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The number of further attempts; nil for any number.
        public let retries: Int?

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            attempt(Succession(subscriber), left: retries)
        }

        private func attempt<S: Subscriber>(_ succession: Succession<S>, left: Int?)
        where S.Input == Output, S.Failure == Failure {
            succession.follow(upstream) { completion in
                switch completion {
                case .failure where (left ?? 1) > 0: attempt(succession, left: left.map { $0 - 1 })
                case .failure, .finished: succession.finish(completion)
                }
            }
        }
    }
}

extension Publisher {
    /// Subscribes to this publisher again when it fails, up to a number of times.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> { Publishers.Retry(upstream: self, retries: retries) }
}
