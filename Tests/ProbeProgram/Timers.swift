import CVirtualTime
import Foundation

extension Construct {
    /// Run loops, timers and notifications.
    static let timers = [
        Construct("timers") {
            nonisolated(unsafe) var count = 0  // Only the main thread counts.
            _ = Timer.scheduledTimer(withTimeInterval: 60, repeats: true) { timer in
                count += 1
                trace("timer \(count)")
                if count == 3 {
                    timer.invalidate()
                    Thread.detachNewThread {
                        Thread.sleep(forTimeInterval: 1000)
                        trace("slept")
                        finish()
                    }
                }
            }
        },
        Construct("timer-sources") {
            // Kept by its handler, which is called on the main queue only.
            nonisolated(unsafe) var source: (any DispatchSourceTimer)? = DispatchSource.makeTimerSource(queue: .main)
            nonisolated(unsafe) var count = 0
            source?.schedule(deadline: .now() + 10, repeating: 10)
            source?.setEventHandler {
                count += 1
                trace("source \(count)")
                if count == 3 {
                    source?.cancel()
                    source = nil
                    finish()
                }
            }
            source?.resume()
        },
        Construct("notifications") {
            let name = Notification.Name("probe")
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in
                trace("notified, main thread \(Thread.isMainThread)")
                finish()
            }
            Thread.detachNewThread { NotificationCenter.default.post(name: name, object: nil) }
        },
    ]
}
