import Foundation

/// One value that a thread gives to another, which waits for it.
// Proof of `@unchecked Sendable`: the value is used while the condition is locked.
final class Handover<Value: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var value: Value?

    func give(_ value: Value) {
        condition.withLock {
            self.value = value
            condition.signal()
        }
    }

    func take() -> Value {
        condition.withLock {
            while true {
                if let value { return value }
                condition.wait()
            }
        }
    }
}
