extension Publishers {
    /// A publisher without the first values that fulfil a condition.
    public struct DropWhile<Upstream: Publisher>: Publisher {
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
            var isDropping = true
            upstream.subscribe(
                Relay(subscriber) { value in
                    if isDropping, predicate(value) { return .skip }
                    isDropping = false
                    return .pass(value)
                })
        }
    }
}

extension Publisher {
    /// Leaves out values up to the first one that does not fulfil a condition.
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        Publishers.DropWhile(upstream: self, predicate: predicate)
    }
}
