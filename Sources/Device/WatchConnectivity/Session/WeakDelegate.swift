/// Holds a delegate without keeping it alive.
// Proof of `@unchecked Sendable`: the runtime guards a weak reference, and the delegate is called on its serial queue alone.
struct WeakDelegate: @unchecked Sendable {
    private(set) weak var value: (any WCSessionDelegate)?
    /// Whether it is a ``RoundDelegate``: asked for at every message, and found out once, as that takes time.
    let hasRounds: Bool

    init(_ value: (any WCSessionDelegate)?) {
        self.value = value
        hasRounds = value is any RoundDelegate
    }
}
