extension Publishers {
    /// A publisher of the first value that fulfils a condition.
    public struct FirstWhere<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The condition.
        public let predicate: (Upstream.Output) -> Bool

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let predicate = predicate
            upstream.subscribe(
                Collector(subscriber, result: { nil }, step: { predicate($0) ? .done($0) : .more }))
        }
    }
}

extension Publisher {
    /// Sends the first value that fulfils a condition, then finishes.
    public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
        Publishers.FirstWhere(upstream: self, predicate: predicate)
    }
}
