extension Publishers {
    /// A publisher of groups of the latest values of three publishers.
    public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
            CombineLatest(CombineLatest(a, b), c).map { ($0.0.0, $0.0.1, $0.1) }.subscribe(subscriber)
        }
    }
}

extension Publisher {
    /// Sends the latest values of this publisher and of others whenever one of them sends, once all have.
    public func combineLatest<P: Publisher, Q: Publisher>(
        _ publisher1: P, _ publisher2: Q
    ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
        Publishers.CombineLatest3(self, publisher1, publisher2)
    }

    /// Sends the latest values of this publisher and of others whenever one of them sends, once all have. A closure makes one value of each group.
    public func combineLatest<P: Publisher, Q: Publisher, T>(
        _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
    ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
        combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
    }
}
