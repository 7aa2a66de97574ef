extension Publishers {
    /// A publisher without values that equal the one before.
    public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The condition under which the second value is a duplicate of the first.
        public let predicate: (Upstream.Output, Upstream.Output) -> Bool

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let predicate = predicate
            var last: Output?
            upstream.subscribe(
                Relay(subscriber) { value in
                    if let last, predicate(last, value) { return .skip }
                    last = value
                    return .pass(value)
                })
        }
    }
}

extension Publisher {
    /// Sends only values that a closure tells apart from the one before.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> Publishers.RemoveDuplicates<Self> {
        Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
    }
}

extension Publisher where Output: Equatable {
    /// Sends only values that differ from the one before.
    public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> { removeDuplicates(by: ==) }
}
