extension Publishers {
    /// A publisher of the values of four publishers, in the order in which they come.
    public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
    where
        A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure,
        A.Output == D.Output, A.Failure == D.Failure
    {
        /// The type of the values.
        public typealias Output = A.Output
        /// The type of the errors.
        public typealias Failure = A.Failure

        /// A publisher of some of the values.
        public let a: A
        /// A publisher of some of the values.
        public let b: B
        /// A publisher of some of the values.
        public let c: C
        /// A publisher of some of the values.
        public let d: D

        /// Creates a publisher from four.
        public init(_ a: A, _ b: B, _ c: C, _ d: D) {
            self.a = a
            self.b = b
            self.c = c
            self.d = d
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence(subscriber)
            let places = (0..<4).map { _ in confluence.reserve() }
            confluence.start()
            confluence.add(a, at: places[0])
            confluence.add(b, at: places[1])
            confluence.add(c, at: places[2])
            confluence.add(d, at: places[3])
        }
    }
}

extension Publisher {
    /// Sends the values of this publisher and of three others, in the order in which they come.
    public func merge<B: Publisher, C: Publisher, D: Publisher>(
        with b: B, _ c: C, _ d: D
    ) -> Publishers.Merge4<Self, B, C, D>
    where
        B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
        D.Failure == Failure
    {
        Publishers.Merge4(self, b, c, d)
    }
}
