import Foundation

/// Hands out all orders of delivery to several threads. A thread waits while the next orders depend on runs in progress.
// Proof of `@unchecked Sendable`: the state is used while the condition is locked.
package final class OrderQueue: @unchecked Sendable {
    private let condition = NSCondition()
    private var tree: OrderTree
    private var number: UInt64 = 0
    private var inProgress = 0
    private var isStopped = false

    package init(_ tree: OrderTree) { self.tree = tree }

    /// The number of orders that were run, and true if these are all.
    package var count: (orders: UInt64, areAll: Bool) {
        locked { (number - UInt64(inProgress), tree.isEmpty && inProgress == 0) }
    }

    /// Returns the next order with its number, from 1; nil if all have been handed out, or after ``stop()``.
    package func next() -> (number: UInt64, branch: OrderTree.Branch)? {
        locked {
            while !isStopped {
                if let branch = tree.next() {
                    (number, inProgress) = (number + 1, inProgress + 1)
                    return (number, branch)
                }
                guard inProgress > 0 else { return nil }
                condition.wait()
            }
            return nil
        }
    }

    /// Notes the performance of an order; nil if it could not be run.
    package func done(_ performance: Performance?, of branch: OrderTree.Branch) throws(TooManyDeliveries) {
        condition.lock()
        defer { condition.unlock() }
        inProgress -= 1
        condition.broadcast()
        if let performance { try tree.add(performance, of: branch) }
    }

    /// Hands out no more orders.
    package func stop() {
        locked {
            isStopped = true
            condition.broadcast()
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
