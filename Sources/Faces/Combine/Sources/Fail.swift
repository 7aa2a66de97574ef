/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    /// The error.
    public let error: Failure

    /// Creates a publisher that fails with an error.
    public init(error: Failure) { self.error = error }

    /// Creates a publisher of the given type of values that fails with an error.
    public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
    }
}

extension Fail: Equatable where Failure: Equatable {}
