/// A publisher of any type, known by its values and errors only.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Creates a publisher that wraps another.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        if let wrapped = publisher as? AnyPublisher<Output, Failure> {
            self = wrapped
        } else {
            attach = { publisher.receive(subscriber: $0) }
        }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        attach(AnySubscriber(subscriber))
    }
}

extension AnyPublisher: CustomStringConvertible {
    public var description: String { "AnyPublisher" }
}

extension Publisher {
    /// Returns this publisher, known by its values and errors only.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
