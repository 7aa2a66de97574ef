import Dispatch
import Locking

/// Collects values from any thread, and waits for them.
package final class Collector<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let changed = DispatchSemaphore(value: 0)

    package init() {}

    package func add(_ value: Value) {
        values.withLock { $0.append(value) }
        changed.signal()
    }

    package var all: [Value] { values.withLock { $0 } }

    /// Waits until the collected values satisfy a condition. False after the limit, which only a broken test reaches.
    package func wait(_ condition: ([Value]) -> Bool) -> Bool {
        let limit = DispatchTime.now() + .seconds(30)
        while !condition(all) {
            if changed.wait(timeout: limit) == .timedOut { return condition(all) }
        }
        return true
    }
}
