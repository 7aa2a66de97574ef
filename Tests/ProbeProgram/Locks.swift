import CVirtualTime
import Foundation
import Synchronization

private final class Guarded: Sendable {
    let count = Mutex(0)
}

extension Construct {
    /// Locks, conditions and operations.
    static let locks = [
        Construct("locks in opposite orders") {
            let (first, second) = (NSLock(), NSLock())
            let (queue, other) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
            for (one, two, mine, yours) in [(first, second, queue, other), (second, first, other, queue)] {
                let thread = Thread {
                    one.withLock { two.withLock {} }
                    mine.sync { yours.sync {} }
                }
                thread.start()
                while !thread.isFinished { usleep(1000) }
            }
            finish()
        },
        Construct("orders of locks that cannot meet") {
            let locks = (0..<5).map { _ in NSLock() }
            @Sendable func nested(_ numbers: [Int]) {
                guard let first = numbers.first else { return }
                locks[first].withLock { nested(Array(numbers.dropFirst())) }
            }
            // One thread with two orders, and two threads that a third lock keeps apart.
            for orders in [[[0, 1], [1, 0]], [[4, 2, 3]], [[4, 3, 2]]] {
                let thread = Thread { orders.forEach(nested) }
                thread.start()
                while !thread.isFinished { usleep(1000) }
            }
            // A lock at the address of one that is gone.
            let memory = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 2)
            for pair in [(memory, memory + 1), (memory + 1, memory)] {
                nonisolated(unsafe) let (first, second) = pair  // The other thread ends first.
                pthread_mutex_init(memory, nil)
                pthread_mutex_init(memory + 1, nil)
                let thread = Thread {
                    pthread_mutex_lock(first)
                    pthread_mutex_lock(second)
                    pthread_mutex_unlock(second)
                    pthread_mutex_unlock(first)
                }
                thread.start()
                while !thread.isFinished { usleep(1000) }
                pthread_mutex_destroy(memory)
                pthread_mutex_destroy(memory + 1)
            }
            memory.deallocate()
            finish()
        },
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
