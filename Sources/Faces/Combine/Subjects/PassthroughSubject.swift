/// A subject that keeps no value: subscribers receive what is sent after they subscribed, if they have requested it.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let ports = Ports<Output, Failure>()
    private let upstreams = UpstreamSubscriptions(isRequested: false)

    /// Creates a subject without subscribers.
    public init() {}

    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        ports.attach(subscriber) { [weak upstreams] in upstreams?.request() }
    }

    public func send(_ value: Output) { ports.send(value) }

    public func send(completion: Subscribers.Completion<Failure>) {
        upstreams.removeAll()
        ports.finish(completion)
    }

    public func send(subscription: any Subscription) { upstreams.add(subscription) }
}
