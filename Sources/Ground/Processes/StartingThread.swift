import Foundation
import Locking

/// A thread that never ends, on which children are started: PR_SET_PDEATHSIG ends a child when the thread that started
/// it ends, even if the process goes on.
package enum StartingThread {
    // Proof of `@unchecked Sendable`: written by the thread before it signals, read by the caller after the wait.
    private final class Answer: @unchecked Sendable {
        var error: (any Error)?
        let isDone = DispatchSemaphore(value: 0)
    }

    private static let tasks = Mutex<[@Sendable () -> Void]>([])
    private static let wakeUp = DispatchSemaphore(value: 0)
    /// Started on first use.
    private static let thread: Void = Thread.detach(named: "children", isAttendant: true) {
        while true {
            wakeUp.wait()
            let task = tasks.withLock { $0.removeFirst() }
            task()
        }
    }

    /// Runs a task on the thread, and waits for it. Rethrows the task's error.
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
