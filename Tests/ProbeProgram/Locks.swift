import CVirtualTime
import Foundation
import Synchronization

private final class Guarded: Sendable {
    let count = Mutex(0)
}

extension Construct {
    /// Locks, conditions and operations.
    static let locks = [
        Construct("locks") {
            let guarded = Guarded()
            let lock = NSLock()
            for thread in 0..<4 {
                Thread.detachNewThread {
                    guarded.count.withLock {
                        $0 += 1
                        usleep(5)
                        trace("mutex \(thread) \($0)")
                    }
                    lock.lock()
                    usleep(5)
                    trace("lock \(thread)")
                    lock.unlock()
                    if guarded.count.withLock({ $0 == 4 }) && thread == 3 {
                        usleep(1000)
                        finish()
                    }
                    Thread.sleep(forTimeInterval: 1)
                    if thread == 3 { finish() }
                }
            }
        },
        Construct("conditions") {
            let condition = NSCondition()
            nonisolated(unsafe) var isReady = false  // Guarded by the condition.
            for waiter in 0..<3 {
                Thread.detachNewThread {
                    condition.lock()
                    while !isReady { condition.wait() }
                    trace("waiter \(waiter)")
                    condition.unlock()
                }
            }
            Thread.detachNewThread {
                condition.lock()
                let late = condition.wait(until: Date().addingTimeInterval(7))
                trace("waited in vain: \(!late)")
                isReady = true
                condition.broadcast()
                condition.unlock()
                Thread.sleep(forTimeInterval: 1)
                finish()
            }
        },
        Construct("operations") {
            let operations = OperationQueue()
            operations.maxConcurrentOperationCount = 2
            for number in 0..<4 {
                operations.addOperation {
                    Thread.sleep(forTimeInterval: 1)
                    trace("operation \(number)")
                }
            }
            operations.waitUntilAllOperationsAreFinished()
            trace("all")
            finish()
        },
    ]
}
