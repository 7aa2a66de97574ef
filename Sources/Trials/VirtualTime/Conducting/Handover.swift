import Foundation

/// A value that one thread hands over to another thread, which waits for it.
// Proof of `@unchecked Sendable`: the value is accessed while the condition is locked.
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
