/// A namespace for subscriptions.
public enum Subscriptions {
    private struct Nothing: Subscription {
        let combineIdentifier = CombineIdentifier()
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
    }

    /// A subscription that sends nothing.
    public static var empty: any Subscription { Nothing() }
}
