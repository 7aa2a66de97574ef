extension Publishers {
    /// A publisher of pairs of the latest values of two publishers.
    public struct CombineLatest<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
        /// The type of the values.
        public typealias Output = (A.Output, B.Output)
        /// The type of the errors.
        public typealias Failure = A.Failure

        /// The publisher of the first value of each pair.
        public let a: A
        /// The publisher of the second value of each pair.
        public let b: B

        /// Creates a publisher from two.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Pairs<LatestPairing<A.Output, B.Output>, S>(subscriber, surplus: .drop).subscribe(a, b)
        }
    }
}

extension Publisher {
    /// Sends the latest values of this publisher and of others whenever one of them sends, once all have.
    public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
    where P.Failure == Failure {
        Publishers.CombineLatest(self, other)
    }

    /// Sends the latest values of this publisher and of others whenever one of them sends, once all have. A closure makes one value of each pair.
    public func combineLatest<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
        combineLatest(other).map { transform($0.0, $0.1) }
    }
}
