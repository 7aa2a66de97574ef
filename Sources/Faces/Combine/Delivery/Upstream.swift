/// The one subscription that a subscriber accepts: the first.
struct Upstream {
    private var isTaken = false
    /// The subscription; nil before it comes and after the end.
    private(set) var subscription: (any Subscription)?

    /// An upstream that has ended, and accepts no subscription.
    static var ended: Upstream { Upstream(isTaken: true) }

    /// Takes the first subscription.
    ///
    /// - Returns: False for each later one, which the subscriber then cancels.
    mutating func take(_ subscription: any Subscription) -> Bool {
        guard !isTaken else { return false }
        (isTaken, self.subscription) = (true, subscription)
        return true
    }
}
