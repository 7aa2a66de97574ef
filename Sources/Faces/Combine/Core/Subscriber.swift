/// A type that receives values from a publisher. Its methods are called one at a time.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
    /// The type of the values.
    associatedtype Input
    /// The type of the error; `Never` if the subscriber cannot receive one.
    associatedtype Failure: Error

    /// Receives the subscription, by which the subscriber requests values or cancels. Called once, before all others.
    func receive(subscription: any Subscription)
    /// Receives a value.
    ///
    /// - Returns: The number of further values that the subscriber requests, in addition to earlier requests.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Receives the end of the sequence, which is the last call.
    func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
    /// Receives a value of type `Void`.
    public func receive() -> Subscribers.Demand { receive(()) }
}
