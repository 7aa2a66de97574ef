/// The connection of a subscriber with a publisher.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
    /// Requests values: the publisher may send this many more. May be called from any thread, and from inside the
    /// subscriber's methods.
    func request(_ demand: Subscribers.Demand)
}
