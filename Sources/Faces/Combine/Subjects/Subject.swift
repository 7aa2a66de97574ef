/// A publisher that sends what other code gives it.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value to the subscribers.
    func send(_ value: Output)
    /// Ends the subscriptions.
    func send(completion: Subscribers.Completion<Failure>)
    /// Receives the subscription to a publisher whose values the subject passes on.
    func send(subscription: any Subscription)
}

extension Subject where Output == Void {
    /// Sends a value of type `Void`.
    public func send() { send(()) }
}
