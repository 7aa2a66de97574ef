/// A publisher that sends no value, and finishes at once or never.
public struct Empty<Output, Failure: Error>: Publisher, Equatable {
    /// True if the publisher finishes when it is subscribed to.
    public let completeImmediately: Bool

    /// Creates a publisher without values.
    public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

    /// Creates a publisher without values of the given types.
    public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
        self.init(completeImmediately: completeImmediately)
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        subscriber.receive(subscription: Subscriptions.empty)
        if completeImmediately { subscriber.receive(completion: .finished) }
    }
}
