import CVirtualTime
import Foundation

extension Construct {
    /// Dispatch queues, groups and semaphores.
    static let queues = [
        Construct("queues") {
            let serial = DispatchQueue(label: "serial")
            let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
            for number in 0..<3 {
                serial.async {
                    dispatchPrecondition(condition: .onQueue(serial))
                    trace("serial \(number)")
                }
            }
            for number in 0..<4 {
                concurrent.async {
                    trace("concurrent \(number)")
                    usleep(10)
                    trace("concurrent \(number) ends")
                }
            }
            concurrent.async(flags: .barrier) { trace("barrier") }
            for number in 4..<6 { concurrent.async { trace("concurrent \(number)") } }
            serial.sync { trace("sync") }
            DispatchQueue.concurrentPerform(iterations: 3) { trace("iteration \($0)") }
            let cancelled = DispatchWorkItem { trace("a cancelled item ran") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 3, execute: cancelled)
            cancelled.cancel()
            DispatchQueue.main.asyncAfter(wallDeadline: .now() + 86_400) {
                trace("a day later, main thread \(Thread.isMainThread)")
                MainActor.assumeIsolated { finish() }
            }
        },
        Construct("check then act") {
            // A queue, and a semaphore, that guard each access, but not both together.
            let queue = DispatchQueue(label: "guard")
            let semaphore = DispatchSemaphore(value: 1)
            nonisolated(unsafe) var (byQueue, bySemaphore) = (0, 0)
            @Sendable func guarded<Result>(_ body: () -> Result) -> Result {
                semaphore.wait()
                defer { semaphore.signal() }
                return body()
            }
            let threads = (0..<2).map { _ in
                Thread {
                    let seen = queue.sync { byQueue }
                    queue.sync { byQueue = seen + 1 }
                    let other = guarded { bySemaphore }
                    guarded { bySemaphore = other + 1 }
                }
            }
            threads.forEach { $0.start() }
            while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
            trace("queue \(byQueue)")
            trace("semaphore \(bySemaphore)")
            finish()
        },
        Construct("groups") {
            let group = DispatchGroup()
            let semaphore = DispatchSemaphore(value: 0)
            for number in 0..<3 { DispatchQueue.global().async(group: group) { trace("global \(number)") } }
            DispatchQueue.global().asyncAfter(deadline: .now() + 5) { semaphore.signal() }
            semaphore.wait()
            trace("semaphore, timed out \(semaphore.wait(timeout: .now() + 100) == .timedOut)")
            group.notify(queue: .main) {
                dispatchPrecondition(condition: .onQueue(.main))
                trace("group")
                finish()
            }
        },
        // More blocked workers than a pool has; libdispatch's monitor must add one.
        Construct("pool") {
            let gate = DispatchSemaphore(value: 0)
            for _ in 0..<4 { DispatchQueue.global().async { gate.wait() } }
            DispatchQueue.global().async {
                trace("a worker was added")
                finish()
            }
        },
        // A worker that waits for work, and one that waits for something else, as long.
        Construct("workers") {
            DispatchQueue.global().async {
                Thread.current.threadDictionary["first"] = true
                DispatchQueue.main.asyncAfter(deadline: .now() + 60) {
                    DispatchQueue.global().async {
                        trace("the same worker \(Thread.current.threadDictionary["first"] != nil)")
                        trace("timed out \(DispatchSemaphore(value: 0).wait(timeout: .now() + 5) == .timedOut)")
                        finish()
                    }
                }
            }
        },
        // What has five milliseconds to happen does so first, unless its thread is late.
        Construct("lateness") {
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(5)) { trace("timer") }
            DispatchQueue.global().async { trace("job") }
            DispatchQueue.main.asyncAfter(deadline: .now() + 1) { finish() }
        },
        Construct("race") {
            let group = DispatchGroup()
            nonisolated(unsafe) var count = 0  // The race is what is looked for.
            for _ in 0..<4 {
                DispatchQueue.global().async(group: group) {
                    for _ in 0..<10 {
                        usleep(0)
                        let seen = count
                        usleep(0)
                        count = seen + 1
                    }
                }
            }
            group.notify(queue: .main) {
                trace("lost \(40 - count)")
                finish()
            }
        },
    ]
}
