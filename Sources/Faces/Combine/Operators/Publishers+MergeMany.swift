extension Publishers {
    /// A publisher of the values of several publishers, in the order in which they come.
    public struct MergeMany<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The publishers.
        public let publishers: [Upstream]

        /// Creates a publisher from several.
        public init(_ upstream: Upstream...) { publishers = upstream }

        /// Creates a publisher from a sequence of publishers.
        public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream { publishers = Array(upstream) }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            guard !publishers.isEmpty else { return Empty().receive(subscriber: subscriber) }
            let confluence = Confluence(subscriber)
            let places = publishers.map { _ in confluence.reserve() }
            confluence.start()
            for (place, publisher) in Swift.zip(places, publishers) { confluence.add(publisher, at: place) }
        }
    }
}

extension Publisher {
    /// Sends the values of this publisher and of another one of the same type, in the order in which they come.
    public func merge(with other: Self) -> Publishers.MergeMany<Self> { Publishers.MergeMany([self, other]) }
}
