/// Carries a value that Apple's signatures do not call Sendable to the serial queue where alone it is used.
// Proof: what is in a box is only moved; who takes it out says in which one place it is used: a session's delegate queue, or
// the main queue.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package let value: Value
    package init(_ value: Value) { self.value = value }
}
