import Foundation
import Locking

/// A thread that never ends, on which children are started: the system ends a child that wants to end with its parent already
/// when the thread that started it ends.
package enum StartingThread {
    // Proof of `@unchecked Sendable`: written by the thread before it signals, read by the caller after it has waited.
    private final class Answer: @unchecked Sendable {
        var error: (any Error)?
        let isDone = DispatchSemaphore(value: 0)
    }

    private static let tasks = Mutex<[@Sendable () -> Void]>([])
    private static let wakeUp = DispatchSemaphore(value: 0)
    /// Started at the first use.
    private static let thread: Void = Thread.detach(named: "children") {
        while true {
            wakeUp.wait()
            let task = tasks.withLock { $0.removeFirst() }
            task()
        }
    }

    /// Runs a task there, and waits for it.
    package static func run(_ task: @escaping @Sendable () throws -> Void) throws {
        _ = thread
        let answer = Answer()
        tasks.withLock { tasks in
            tasks.append {
                do { try task() } catch { answer.error = error }
                answer.isDone.signal()
            }
        }
        wakeUp.signal()
        answer.isDone.wait()
        if let error = answer.error { throw error }
    }
}
