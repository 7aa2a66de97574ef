extension Publishers {
    /// A publisher of the values that fulfil a condition.
    public struct Filter<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The condition.
        public let isIncluded: (Upstream.Output) -> Bool

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.isIncluded = isIncluded
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let isIncluded = isIncluded
            upstream.subscribe(Relay(subscriber) { isIncluded($0) ? .pass($0) : .skip })
        }
    }
}

extension Publisher {
    /// Sends the values that fulfil a condition.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
        Publishers.Filter(upstream: self, isIncluded: isIncluded)
    }
}
