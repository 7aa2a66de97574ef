extension Publishers {
    /// A publisher of the values of a property.
    public struct MapKeyPath<Upstream: Publisher, Output>: Publisher {
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The property.
        public let keyPath: KeyPath<Upstream.Output, Output>

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
            self.upstream = upstream
            self.keyPath = keyPath
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let keyPath = keyPath
            upstream.subscribe(Relay(subscriber) { .pass($0[keyPath: keyPath]) })
        }
    }
}

extension Publisher {
    /// Takes the values of two properties from each value.
    public func map<T0, T1>(
        _ first: KeyPath<Output, T0>, _ second: KeyPath<Output, T1>
    ) -> Publishers.Map<Self, (T0, T1)> {
        map { ($0[keyPath: first], $0[keyPath: second]) }
    }
}
