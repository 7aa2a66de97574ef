extension Publishers {
    /// A publisher of the results of combining each value with the result before.
    public struct Scan<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The result before the first value.
        public let initialResult: Output
        /// The closure that combines.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initialResult = initialResult
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let next = nextPartialResult
            var result = initialResult
            upstream.subscribe(
                Relay(subscriber) { value in
                    result = next(result, value)
                    return .pass(result)
                })
        }
    }
}

extension Publisher {
    /// Combines each value with the result before, and sends the new result.
    public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Scan<Self, T> {
        Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
    }
}
