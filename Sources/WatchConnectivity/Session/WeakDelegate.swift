/// Holds a delegate without keeping it alive.
// Proof of `@unchecked Sendable`: the runtime guards a weak reference, and the delegate is called on its serial queue alone.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any WCSessionDelegate)?
}
