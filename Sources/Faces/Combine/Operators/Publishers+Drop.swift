extension Publishers {
    /// A publisher without the first values.
    public struct Drop<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The number of values that are left out.
        public let count: Int

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            var left = count
            upstream.subscribe(
                Relay(subscriber) { value in
                    guard left > 0 else { return .pass(value) }
                    left -= 1
                    return .skip
                })
        }
    }
}

extension Publisher {
    /// Leaves out the first values.
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> { Publishers.Drop(upstream: self, count: count) }
}
