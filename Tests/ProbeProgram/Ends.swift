import CProbe
import CVirtualTime
import Foundation

extension Construct {
    /// Worlds that end by themselves.
    static let ends = [
        Construct("deadlock") {
            trace("waits")
            DispatchSemaphore(value: 0).wait()
        },
        Construct("idle") { DispatchQueue.main.async { trace("runs") } },
        Construct("deadlock-of-locks") {
            let first = NSLock()
            let second = NSLock()
            for (mine, other) in [(first, second), (second, first)] {
                Thread.detachNewThread {
                    mine.lock()
                    Thread.sleep(forTimeInterval: 1)
                    other.lock()
                }
            }
            Thread.sleep(forTimeInterval: 5)
            first.lock()
        },
        Construct("deadlock-with-pool") {
            let queue = DispatchQueue(label: "queue")
            DispatchQueue.global().async { queue.async { DispatchSemaphore(value: 0).wait() } }
            DispatchSemaphore(value: 0).wait()
        },
        Construct("cancellation") { probe_cancellation() },
        Construct("uncontrolled") {
            // A lock of glibc's own, which no program can stand before.
            guard let opened = fopen("/dev/null", "r") else { return }
            nonisolated(unsafe) let file = opened  // It locks itself.
            Thread.detachNewThread {
                flockfile(file)
                Thread.sleep(forTimeInterval: 100)
                funlockfile(file)
            }
            Thread.sleep(forTimeInterval: 1)
            flockfile(file)
        },
        Construct("spinning") {
            var number: UInt64 = 1
            while number != 0 { number = (number &* 3) | 1 }
            finish()
        },
        Construct("horizon") { _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in } },
        Construct("crash") {
            trace("before")
            abort()
        },
        Construct("failure") { virtual_time_finish("it went wrong") },
    ]
}
