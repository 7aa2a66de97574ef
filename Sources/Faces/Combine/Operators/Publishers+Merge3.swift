extension Publishers {
    /// A publisher of the values of three publishers, in the order in which they come.
    public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure, A.Output == C.Output, A.Failure == C.Failure {
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

        /// Creates a publisher from three.
        public init(_ a: A, _ b: B, _ c: C) {
            self.a = a
            self.b = b
            self.c = c
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence(subscriber)
            let places = (0..<3).map { _ in confluence.reserve() }
            confluence.start()
            confluence.add(a, at: places[0])
            confluence.add(b, at: places[1])
            confluence.add(c, at: places[2])
        }
    }
}

extension Publisher {
    /// Sends the values of this publisher and of two others, in the order in which they come.
    public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
    where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
        Publishers.Merge3(self, b, c)
    }
}
