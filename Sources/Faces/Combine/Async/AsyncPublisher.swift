/// The values of a publisher that cannot fail, for `for await`.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    /// The type of the values.
    public typealias Element = P.Output

    private let publisher: P

    /// Creates a sequence of a publisher's values.
    public init(_ publisher: P) { self.publisher = publisher }

    /// Subscribes to the publisher.
    public func makeAsyncIterator() -> Iterator {
        let values = AwaitedValues<P.Output, Never>()
        publisher.subscribe(values)
        return Iterator(values: values)
    }

    /// The iterator, which requests one value for each call.
    public struct Iterator: AsyncIteratorProtocol {
        let values: AwaitedValues<P.Output, Never>

        /// Returns the next value; nil at the end, or if the task is cancelled.
        public mutating func next() async -> P.Output? {
            switch await values.next() {
            case .success(let value): value
            case nil: nil
            }
        }
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher, for `for await`.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}
