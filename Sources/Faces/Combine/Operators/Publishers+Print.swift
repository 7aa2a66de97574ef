extension Publishers {
    /// A publisher that prints its events.
    public struct Print<Upstream: Publisher>: Publisher {
        /// The type of the values.
        public typealias Output = Upstream.Output
        /// The type of the errors.
        public typealias Failure = Upstream.Failure

        /// The text before each line.
        public let prefix: String
        /// The publisher of the original values.
        public let upstream: Upstream
        /// The receiver of the lines; nil for standard output.
        public let stream: (any TextOutputStream)?

        /// Creates a publisher from its upstream and its parameters.
        public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
            self.upstream = upstream
            self.prefix = prefix
            self.stream = stream
        }

        public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
            let line = line
            let watch = Relay<Output, Failure, S>.Watch(
                subscribed: { line("receive subscription: (\($0))") }, requested: { line("request \($0)") },
                cancelled: { line("receive cancel") },
                completed: { completion in
                    switch completion {
                    case .finished: line("receive finished")
                    case .failure(let error): line("receive error: (\(error))")
                    }
                })
            upstream.subscribe(
                Relay(subscriber, watch: watch) { value in
                    line("receive value: (\(value))")
                    return .pass(value)
                })
        }

        /// Prints one line. Streams with state must be classes, as on Apple's platforms.
        private var line: (String) -> Void {
            let start = prefix.isEmpty ? "" : prefix + ": "
            guard var stream else { return { Swift.print(start + $0) } }
            return { stream.write(start + $0 + "\n") }
        }
    }
}

extension Publisher {
    /// Prints the events of this publisher.
    ///
    /// - Parameters:
    ///   - prefix: The text before each line.
    ///   - stream: The receiver of the lines; nil for standard output.
    public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
        Publishers.Print(upstream: self, prefix: prefix, to: stream)
    }
}
