/// Holds a delegate without keeping it alive.
// Proof of `@unchecked Sendable`: the runtime guards a weak reference, and the delegate is called on its serial queue alone.
struct WeakDelegate: @unchecked Sendable {
    private(set) weak var value: (any WCSessionDelegate)?
    /// The same one, if it wants to know of rounds: found out once, as that takes time.
    private(set) weak var round: (any RoundDelegate)?

    init(_ value: (any WCSessionDelegate)?) {
        self.value = value
        round = value as? any RoundDelegate
    }
}
