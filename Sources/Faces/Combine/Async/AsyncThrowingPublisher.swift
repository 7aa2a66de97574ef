/// The values of a publisher, for `for try await`.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    /// The type of the values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator {
        let values = AwaitedValues<P.Output, P.Failure>()
        publisher.subscribe(values)
        return Iterator(values: values)
    }

    /// The iterator, which requests one value for each call.
    public struct Iterator: AsyncIteratorProtocol {
        let values: AwaitedValues<P.Output, P.Failure>

        /// Returns the next value; nil at the end, or if the task is cancelled.
        public mutating func next() async throws -> P.Output? { try await values.next()?.get() }
    }
}

extension Publisher {
    /// The values of this publisher, for `for try await`.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
