import TestSupport
import WatchKit

/// An app with a single target that completes its tasks, and records what they are for.
@MainActor
final class SingleTargetApp: NSObject, WKApplicationDelegate {
    private let purposes: Collector<String>

    init(_ purposes: Collector<String>) { self.purposes = purposes }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            purposes.add((task.userInfo as? NSString)?.description ?? "-")
            task.setTaskCompletedWithSnapshot(false)
        }
    }
}
