import Foundation
import Locking

/// Background time that an app requests for later.
enum BackgroundRequest {
    /// Reports the request as scheduled, and gives the task at its date, both on the main queue.
    static func schedule(
        _ task: WKRefreshBackgroundTask, at date: Date, _ scheduledCompletion: @escaping ((any Error)?) -> Void,
        _ give: @escaping @Sendable (WKRefreshBackgroundTask) -> Void
    ) {
        let (completion, task) = (UncheckedBox(scheduledCompletion), UncheckedBox(task))
        DispatchQueue.main.async { completion.value(nil) }
        DispatchQueue.main.asyncAfter(deadline: .now() + max(0, date.timeIntervalSinceNow)) { give(task.value) }
    }
}
