extension Publishers {
    /// A publisher of the values at a range of places.
    public struct Output<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The places, counted from 0.
        public let range: CountableRange<Int>

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, range: CountableRange<Int>) {
            self.upstream = upstream
            self.range = range
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            guard !range.isEmpty else { return Empty().receive(subscriber: subscriber) }
            let range = range
            var place = 0
            upstream.subscribe(
                Relay(subscriber) { value in
                    defer { place += 1 }
                    guard range.contains(place) else { return .skip }
                    return place == range.upperBound - 1 ? .last(value) : .pass(value)
                })
        }
    }
}

extension Publisher {
    /// Sends the first values, then finishes.
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: 0..<Swift.max(0, maxLength)) }

    /// Sends the values at a range of places, counted from 0, then finishes.
    public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
        Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
    }

    /// Sends the value at a place, counted from 0, then finishes.
    public func output(at index: Int) -> Publishers.Output<Self> { output(in: index...index) }
}
