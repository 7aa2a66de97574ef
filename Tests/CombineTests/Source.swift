import Combine

/// A publisher that records requests and cancellation, and sends what the test tells it, requested or not.
final class Source<Output, Failure: Error>: Publisher, Subscription {
    private var subscriber: AnySubscriber<Output, Failure>?
    private(set) var calls: [String] = []

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
        self.subscriber = AnySubscriber(subscriber)
        subscriber.receive(subscription: self)
    }

    @discardableResult
    func send(_ value: Output) -> Subscribers.Demand { subscriber?.receive(value) ?? .none }

    func send(completion: Subscribers.Completion<Failure>) { subscriber?.receive(completion: completion) }

    func request(_ demand: Subscribers.Demand) { calls.append("request \(demand)") }
    func cancel() { calls.append("cancel") }
}
