extension Publishers {
    /// A publisher of the values of one publisher, then of another.
    public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
    where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
        /// The type of the values.
        public typealias Output = Suffix.Output
        /// The type of the errors.
        public typealias Failure = Suffix.Failure

        /// The publisher of the first values.
        public let prefix: Prefix
        /// The publisher of the values after the first ones.
        public let suffix: Suffix

        /// Creates a publisher from two.
        public init(prefix: Prefix, suffix: Suffix) {
            self.prefix = prefix
            self.suffix = suffix
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (succession, suffix) = (Succession(subscriber), suffix)
            succession.follow(prefix) { completion in
                switch completion {
                case .finished: succession.follow(suffix) { succession.finish($0) }
                case .failure: succession.finish(completion)
                }
            }
        }
    }
}

extension Publisher {
    /// Sends values before those of this publisher.
    public func prepend(
        _ elements: Output...
    ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
        prepend(Publishers.Sequence(sequence: elements))
    }

    /// Sends the values of another publisher before those of this one.
    public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: publisher, suffix: self)
    }

    /// Sends values when this publisher has finished.
    public func append(
        _ elements: Output...
    ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
        append(Publishers.Sequence(sequence: elements))
    }

    /// Sends the values of another publisher when this one has finished.
    public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
    where P.Output == Output, P.Failure == Failure {
        Publishers.Concatenate(prefix: self, suffix: publisher)
    }
}
