/// A box that carries a value that is not Sendable in Apple's signatures to the serial queue that alone uses it.
// Proof: the box only moves the value; the code that unwraps it uses it on one queue, a session's delegate queue or
// main.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value
    package init(_ value: Value) { self.value = value }
}
