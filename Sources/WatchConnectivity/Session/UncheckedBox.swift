/// Carries a value of an application's between threads.
// Proof: Apple's signatures take handlers and delegates that are not Sendable. What is in a box is only moved, and used on the
// session's delegate queue alone, which is serial.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

/// Holds a delegate without keeping it alive.
// Proof: as above; the runtime guards the reference itself.
struct WeakDelegate: @unchecked Sendable {
    weak var value: (any WCSessionDelegate)?
}
