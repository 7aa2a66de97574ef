import Dispatch
import Locking
import WatchKit

/// Gives the watch's app a refresh task, and watches how long it keeps it.
enum BackgroundLaunch {
    /// After how long Apple's watchdog ends an app that was launched in the background (seen by others: 25 s cold, 15 s warm).
    private static let budget: DispatchTimeInterval = .seconds(25)

    /// False if the app has no extension delegate.
    static func give(
        onCompletion: @escaping @Sendable () -> Void, onOverdue: @escaping @Sendable () -> Void
    ) -> Bool {
        let task = WKWatchConnectivityRefreshBackgroundTask(onCompletion: onCompletion)
        guard WKExtension.shared().give(task) else { return false }
        let given = UncheckedBox(task)
        DispatchQueue.main.asyncAfter(deadline: .now() + budget) { if given.value.expire() { onOverdue() } }
        return true
    }
}
