/// A subject that keeps the most recent value, which new subscribers receive first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let ports = Ports<Output, Failure>()
    private let upstreams = UpstreamSubscriptions(isRequested: true)
    private let current: Guarded<Output>

    /// Creates a subject with a first value.
    public init(_ value: Output) { current = Guarded(value) }

    /// The most recent value. Setting it sends it to the subscribers.
    public var value: Output {
        get { current.with { $0 } }
        set { send(newValue) }
    }

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        ports.attach(subscriber, current: current)
    }

    public func send(_ value: Output) { ports.send(value, current: current) }

    public func send(completion: Subscribers.Completion<Failure>) {
        upstreams.removeAll()
        ports.finish(completion)
    }

    public func send(subscription: any Subscription) { upstreams.add(subscription) }
}
