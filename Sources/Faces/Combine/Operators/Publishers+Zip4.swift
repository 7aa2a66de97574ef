extension Publishers {
    /// A publisher of groups of the values with the same number of four publishers.
    public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
        /// The type of the values.
        public typealias Output = (A.Output, B.Output, C.Output, D.Output)
        /// The type of the errors.
        public typealias Failure = A.Failure

        /// A publisher of one value of each group.
        public let a: A
        /// A publisher of one value of each group.
        public let b: B
        /// A publisher of one value of each group.
        public let c: C
        /// A publisher of one value of each group.
        public let d: D

        /// Creates a publisher from four.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            Zip(Zip(a, b), Zip(c, d)).map { ($0.0.0, $0.0.1, $0.1.0, $0.1.1) }.subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Sends the first values of this publisher and of others together, then their second ones, and so on.
    public func zip<P: Publisher, Q: Publisher, R: Publisher>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R
    ) -> Publishers.Zip4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        Publishers.Zip4(self, publisher1, publisher2, publisher3)
    }

    /// Sends the first values of this publisher and of others together, then their second ones, and so on. A closure makes one value of each group.
    public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ publisher3: R,
        _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
    ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
    where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
        zip(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
    }
}
