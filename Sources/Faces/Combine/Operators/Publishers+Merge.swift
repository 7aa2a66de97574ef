extension Publishers {
    /// A publisher of the values of two publishers, in the order in which they come.
    public struct Merge<A: Publisher, B: Publisher>: Publisher
    where A.Output == B.Output, A.Failure == B.Failure {
        /// The type of the values.
        public typealias Output = A.Output
        /// The type of the errors.
        public typealias Failure = A.Failure

        /// A publisher of some of the values.
        public let a: A
        /// A publisher of some of the values.
        public let b: B

        /// Creates a publisher from two.
        public init(_ a: A, _ b: B) {
            self.a = a
            self.b = b
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let confluence = Confluence(subscriber)
            let places = (0..<2).map { _ in confluence.reserve() }
            confluence.start()
            confluence.add(a, at: places[0])
            confluence.add(b, at: places[1])
        }
    }
}

extension Publisher {
    /// Sends the values of this publisher and of another, in the order in which they come.
    public func merge<B: Publisher>(with other: B) -> Publishers.Merge<Self, B>
    where B.Output == Output, B.Failure == Failure {
        Publishers.Merge(self, other)
    }
}
