/// A publisher that is made anew for each subscriber.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
    /// The type of the values.
    public typealias Output = DeferredPublisher.Output
    /// The type of the errors.
    public typealias Failure = DeferredPublisher.Failure

    /// The closure that makes the publisher.
    public let createPublisher: () -> DeferredPublisher

    /// Creates a publisher from a closure.
    public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        createPublisher().subscribe(subscriber)
    }
}
