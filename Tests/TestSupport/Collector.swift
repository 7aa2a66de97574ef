import Dispatch
import Locking
package import Testing

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

    /// Waits until the collected values satisfy a condition. If they do not before the limit, which only a broken test reaches, an issue
    /// with all of them is recorded.
    ///
    /// - Returns: Whether they satisfied it, for a test that cannot go on without.
    @discardableResult
    package func expect(
        _ promise: String = "", sourceLocation: SourceLocation = #_sourceLocation, _ condition: ([Value]) -> Bool
    ) -> Bool {
        let limit = DispatchTime.now() + Self.patience
        while !condition(all) {
            guard changed.wait(timeout: limit) == .timedOut else { continue }
            if condition(all) { return true }
            let arrived = all
            Issue.record(
                "\(promise.isEmpty ? "" : promise + ": ")not within \(Self.patience); \(arrived.count) arrived: \(arrived)",
                sourceLocation: sourceLocation)
            return false
        }
        return true
    }

    private static var patience: DispatchTimeInterval { .seconds(30) }
}
