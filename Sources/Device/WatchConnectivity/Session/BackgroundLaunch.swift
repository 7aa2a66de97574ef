import Dispatch
import Locking
import WatchKit

/// The delivery of a refresh task to the watch's app, with a limit on its duration.
enum BackgroundLaunch {
    /// The time after which Apple's watchdog terminates an app that was launched in the background (reported by
    /// developers: 25 s cold, 15 s warm).
    private static let budget: DispatchTimeInterval = .seconds(25)

    /// Gives a task to the app; returns `false` if the app has no delegate for it.
    ///
    /// - Parameter limit: The time after which the task is overdue if it is not completed.
    static func give(
        within limit: DispatchTimeInterval = budget, onCompletion: @escaping @Sendable () -> Void,
        onOverdue: @escaping @Sendable () -> Void
    ) -> Bool {
        let task = WKWatchConnectivityRefreshBackgroundTask(onCompletion: onCompletion)
        guard WKExtension.shared().give(task) || WKApplication.application.give(task) else { return false }
        let given = UncheckedBox(task)
        DispatchQueue.main.asyncAfter(deadline: .now() + limit) { if given.value.expire() { onOverdue() } }
        return true
    }
}
