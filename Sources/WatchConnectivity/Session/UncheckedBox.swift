/// Carries a value of an application's between threads.
// Proof: Apple's signatures take handlers and delegates that are not Sendable. What is in a box is only moved, and used on the
// session's delegate queue alone, which is serial.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
