extension Publishers {
    /// A publisher that replaces a failed one with another.
    public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
    where Upstream.Output == NewPublisher.Output {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = NewPublisher.Failure

        /// The publisher of the original values.
        public let upstream: Upstream
        /// The closure that makes the new publisher from the error.
        public let handler: (Upstream.Failure) -> NewPublisher

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
            self.upstream = upstream
            self.handler = handler
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let (succession, handler) = (Succession(subscriber), handler)
            succession.follow(upstream) { completion in
                switch completion {
                case .finished: succession.finish(.finished)
                case .failure(let error): succession.follow(handler(error)) { succession.finish($0) }
                }
            }
        }
    }
}

extension Publisher {
    /// Goes on with another publisher when this one fails.
    public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
    where P.Output == Output {
        Publishers.Catch(upstream: self, handler: handler)
    }

    /// Sends a value instead of the error, then finishes.
    public func replaceError(with output: Output) -> Publishers.Catch<Self, Just<Output>> {
        self.catch { _ in Just(output) }
    }
}
