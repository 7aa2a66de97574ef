import Dispatch
package import Foundation

extension Thread {
    /// Runs a body on several new threads at the same time, and waits for all of them.
    ///
    /// Unlike `DispatchQueue.concurrentPerform`, which runs at most as many at a time as there are processors: threads that mostly
    /// wait for others leave the processor to more of them. They take no thread of a queue, either.
    package static func inParallel(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            detachNewThread {
                body()
                group.leave()
            }
        }
        group.wait()
    }
}
