/// The publisher that an ``ObservableObject`` has by default. Its values carry nothing.
public final class ObservableObjectPublisher: Publisher {
    /// The values carry nothing.
    public typealias Output = Void
    /// The publisher cannot fail.
    public typealias Failure = Never

    private let ports = Ports<Void, Never>()

    /// Creates a publisher without subscribers.
    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
        ports.attach(subscriber)
    }

    /// Sends a value: the object is about to change.
    public func send() { ports.send(()) }
}
