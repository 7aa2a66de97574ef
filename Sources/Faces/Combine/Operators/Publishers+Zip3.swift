extension Publishers {
    /// A publisher of groups of the values with the same number of three publishers.
    public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure {
        /// The type of the values.
        public typealias Output = (A.Output, B.Output, C.Output)
        /// The type of the errors.
        public typealias Failure = A.Failure

        /// A publisher of one value of each group.
        public let a: A
        /// A publisher of one value of each group.
        public let b: B
        /// A publisher of one value of each group.
        public let c: C

        /// Creates a publisher from three.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Zip(Zip(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }.subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Sends the first values of this publisher and of others together, then their second ones, and so on.
    public func zip<P: Publisher, Q: Publisher>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.Zip3(self, publisher1, publisher2)
    }

    /// Sends the first values of this publisher and of others together, then their second ones, and so on. A closure makes one value of each group.
    public func zip<P: Publisher, Q: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        zip(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }
}
