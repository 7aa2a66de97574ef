/// A weak reference to a delegate. An object, as each copy of a weak reference is registered, and it is read for every message.
// Proof of `@unchecked Sendable`: the runtime guards weak references, and the delegate is called on its serial queue
// only.
final class WeakDelegate: @unchecked Sendable {
    private(set) weak var value: (any WCSessionDelegate)?
    /// True if it is a ``RoundDelegate``. Cached, because it is read for every message and the check is slow.
    let hasRounds: Bool

    init(_ value: (any WCSessionDelegate)?) {
        self.value = value
        hasRounds = value is any RoundDelegate
    }
}
