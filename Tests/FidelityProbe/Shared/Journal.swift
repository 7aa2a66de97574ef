import Foundation

/// The calls of the app's code by the session, in order.
///
/// Unchecked: its state is guarded by the condition.
final class Journal: @unchecked Sendable {
    private let condition = NSCondition()
    private var entries: [Entry] = []
    private var running = 0
    private var most = 0
    private var onMain = 0

    /// The greatest number of calls at a time.
    var mostAtATime: Int { locked { most } }
    /// The number of calls on the main thread.
    var callsOnMain: Int { locked { onMain } }

    func note(_ entry: Entry) {
        locked {
            entries.append(entry)
            condition.broadcast()
        }
    }

    /// Runs the app's code within a call of the session.
    func within<Value>(_ body: () -> Value) -> Value {
        locked {
            running += 1
            most = max(most, running)
            onMain += Thread.isMainThread ? 1 : 0
        }
        defer { locked { running -= 1 } }
        return body()
    }

    func all(_ isIncluded: (Entry) -> Bool) -> [Entry] { locked { entries.filter(isIncluded) } }

    func all(_ method: String, _ step: String) -> [Entry] { all { $0.method == method && $0.step == step } }

    /// Waits until there are so many entries of a kind, or the time is over, and returns those that there are.
    func await(_ count: Int, _ method: String, _ step: String, within seconds: TimeInterval) -> [Entry] {
        let end = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while true {
            let found = entries.filter { $0.method == method && $0.step == step }
            if found.count >= count || !condition.wait(until: end) { return found }
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
