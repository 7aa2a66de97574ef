extension Publishers {
    /// A publisher of pairs of the values with the same number of two publishers.
    public struct Zip<A: Publisher, B: Publisher>: Publisher where A.Failure == B.Failure {
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
            Pairs<ZipPairing<A.Output, B.Output>, S>(subscriber, surplus: .keep).subscribe(a, b)
        }
    }
}

extension Publisher {
    /// Sends the first values of this publisher and of others together, then their second ones, and so on.
    public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
        Publishers.Zip(self, other)
    }

    /// Sends the first values of this publisher and of others together, then their second ones, and so on. A closure makes one value of each pair.
    public func zip<P: Publisher, T>(
        _ other: P, _ transform: @escaping (Output, P.Output) -> T
    ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
        zip(other).map { transform($0.0, $0.1) }
    }
}
