extension Publishers {
    /// A publisher of the result of combining all values.
    public struct Reduce<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The result before the first value.
        public let initial: Output
        /// The closure that combines.
        public let nextPartialResult: (Output, Upstream.Output) -> Output

        /// Creates a publisher from its upstream and its parameters.
        public init(
            upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
        ) {
            self.upstream = upstream
            self.initial = initial
            self.nextPartialResult = nextPartialResult
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let next = nextPartialResult
            var result = initial
            upstream.subscribe(
                Collector(subscriber, result: { result }) { value in
                    result = next(result, value)
                    return .more
                })
        }
    }
}

extension Publisher {
    /// Combines all values, and sends the result when the sequence finishes.
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Reduce<Self, T> {
        Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
    }

    /// Sends the number of values when the sequence finishes.
    public func count() -> Publishers.Reduce<Self, Int> { reduce(0) { count, _ in count + 1 } }
}
