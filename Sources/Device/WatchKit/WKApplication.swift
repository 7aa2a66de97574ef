public import Foundation
import Locking

/// The watch's app as an object of the system, for apps that have a single target. Its state is that of the simulated
/// app; its delegate receives background tasks unless that of `WKExtension` does.
@preconcurrency @MainActor
open class WKApplication: NSObject {
    private struct WeakDelegate: @unchecked Sendable {
        // Proof: the runtime guards weak references; the delegate is called on the main queue only.
        weak var value: (any WKApplicationDelegate)?
    }

    nonisolated package static let application = WKApplication(activity: .shared)

    private nonisolated let held = Mutex(WeakDelegate(value: nil))
    private nonisolated let activity: AppActivity
    private nonisolated let center: NotificationCenter

    nonisolated package init(activity: AppActivity, center: NotificationCenter = .default) {
        self.activity = activity
        self.center = center
        super.init()
        activity.observe { [weak self] step in MainActor.assumeIsolated { self?.tell(step) } }
    }

    /// Returns the app's only instance.
    open class func shared() -> WKApplication { application }

    /// The delegate that receives background tasks and changes of the state; held weakly.
    open weak var delegate: (any WKApplicationDelegate)? {
        get { held.withLock { $0 }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            held.withLock { $0 = delegate }
        }
    }

    /// The state of the simulated app; active until the session is activated.
    open var applicationState: WKApplicationState { WKApplicationState(activity.state) }

    /// Requests background time. The task is given at the date; there is no budget that could delay it.
    open func scheduleBackgroundRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        let task = WKApplicationRefreshBackgroundTask(userInfo: userInfo) {}
        BackgroundRequest.schedule(task, at: preferredFireDate, scheduledCompletion) { _ = self.give($0) }
    }

    /// Requests background time to prepare a snapshot of the app. The task is given at the date; no snapshot is taken.
    open func scheduleSnapshotRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        let task = WKSnapshotRefreshBackgroundTask(userInfo: userInfo) {}
        BackgroundRequest.schedule(task, at: preferredFireDate, scheduledCompletion) { _ = self.give($0) }
    }

    /// Gives a background task to the app. Returns `false` if there is no delegate.
    nonisolated package func give(_ task: WKRefreshBackgroundTask) -> Bool {
        guard held.withLock({ $0 }).value != nil else { return false }
        let given = UncheckedBox(task)
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                // The delegate may have been released in the meantime; the task then ends.
                guard let delegate = self.delegate else { return given.value.setTaskCompletedWithSnapshot(false) }
                delegate.handle([given.value])
            }
        }
        return true
    }

    private func tell(_ step: AppActivity.Step) {
        switch step {
        case .willEnterForeground:
            delegate?.applicationWillEnterForeground()
            center.post(name: Self.willEnterForegroundNotification, object: self)
        case .didBecomeActive:
            delegate?.applicationDidBecomeActive()
            center.post(name: Self.didBecomeActiveNotification, object: self)
        case .willResignActive:
            delegate?.applicationWillResignActive()
            center.post(name: Self.willResignActiveNotification, object: self)
        case .didEnterBackground:
            delegate?.applicationDidEnterBackground()
            center.post(name: Self.didEnterBackgroundNotification, object: self)
        }
    }
}

extension WKApplication {
    /// The name of the notification that the app became active.
    public nonisolated static let didBecomeActiveNotification = posted("WKApplicationDidBecomeActiveNotification")
    /// The name of the notification that the app is about to become inactive.
    public nonisolated static let willResignActiveNotification = posted("WKApplicationWillResignActiveNotification")
    /// The name of the notification that the app is about to enter the foreground.
    public nonisolated static let willEnterForegroundNotification = posted(
        "WKApplicationWillEnterForegroundNotification")
    /// The name of the notification that the app entered the background.
    public nonisolated static let didEnterBackgroundNotification = posted("WKApplicationDidEnterBackgroundNotification")

    /// Returns a notification's name, and makes sure that there is an instance that posts it.
    private nonisolated static func posted(_ name: String) -> Notification.Name {
        _ = application
        return Notification.Name(name)
    }
}
