/// A subscriber of any type, known by its values and errors only.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    private let subscribed: (any Subscription) -> Void
    private let received: (Input) -> Subscribers.Demand
    private let completed: (Subscribers.Completion<Failure>) -> Void
    /// The identifier of the wrapped subscriber.
    public let combineIdentifier: CombineIdentifier

    /// Creates a subscriber that wraps another.
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        if let wrapped = subscriber as? AnySubscriber<Input, Failure> {
            self = wrapped
        } else {
            subscribed = subscriber.receive(subscription:)
            received = { subscriber.receive($0) }
            completed = subscriber.receive(completion:)
            combineIdentifier = subscriber.combineIdentifier
        }
    }

    /// Creates a subscriber that passes all values to a subject.
    public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
        self.init(SubjectSubscriber(subject))
    }

    /// Creates a subscriber from closures. Without a closure, nothing is requested and nothing happens.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        subscribed = receiveSubscription ?? { _ in }
        received = receiveValue ?? { _ in .none }
        completed = receiveCompletion ?? { _ in }
        combineIdentifier = CombineIdentifier()
    }

    public func receive(subscription: any Subscription) { subscribed(subscription) }
    public func receive(_ value: Input) -> Subscribers.Demand { received(value) }
    public func receive(completion: Subscribers.Completion<Failure>) { completed(completion) }
}

extension AnySubscriber: CustomStringConvertible {
    public var description: String { "AnySubscriber" }
}
