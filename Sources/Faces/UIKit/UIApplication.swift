public import Foundation
import Locking
package import WatchKit

/// The phone's app as an object of the system. Its state is that of the simulated app.
@preconcurrency @MainActor
open class UIApplication: UIResponder {
    /// The state of an app.
    public enum State: Int, Sendable {
        /// The app is in the foreground.
        case active = 0
        /// The app is in the foreground and receives no actions.
        case inactive = 1
        /// The app is not on the screen.
        case background = 2
    }

    /// A reason for a launch. There are none here.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The name of the reason.
        public let rawValue: String
        /// Creates a reason.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    private struct Tasks {
        var latest = 0
        var open: [UIBackgroundTaskIdentifier: String] = [:]
    }

    fileprivate nonisolated static let application = UIApplication(activity: .shared)

    private nonisolated let tasks = Mutex(Tasks())
    private nonisolated let activity: AppActivity
    private nonisolated let center: NotificationCenter

    nonisolated package init(activity: AppActivity, center: NotificationCenter = .default) {
        self.activity = activity
        self.center = center
        super.init()
        activity.observe { [weak self] step in MainActor.assumeIsolated { self?.tell(step) } }
    }

    /// The app's only instance.
    open class var shared: UIApplication { application }

    /// The delegate that is told of changes of the state; held weakly.
    open weak var delegate: (any UIApplicationDelegate)?

    /// The state of the simulated app; active until the session is activated.
    open var applicationState: State {
        switch activity.state {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    /// The time that the app may run in the background: without limit, because WatchLink does not end it.
    open var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }

    /// Records that the app wants to go on in the background. The handler is never called: the time does not expire.
    nonisolated open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks.withLock { tasks in
            tasks.latest += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: tasks.latest)
            tasks.open[identifier] = taskName ?? ""
            return identifier
        }
    }

    /// Records that the app wants to go on in the background. The handler is never called: the time does not expire.
    nonisolated open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { beginBackgroundTask(withName: nil, expirationHandler: handler) }

    /// Records the end of work in the background.
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        tasks.withLock { $0.open[identifier] = nil }
    }

    /// The names of the background tasks that have not ended, by identifier; empty for a task without a name.
    /// WatchLink's own: Apple's class does not have it.
    public nonisolated var recordedBackgroundTasks: [UIBackgroundTaskIdentifier: String] { tasks.withLock { $0.open } }

    private func tell(_ step: AppActivity.Step) {
        switch step {
        case .willEnterForeground:
            delegate?.applicationWillEnterForeground(self)
            center.post(name: Self.willEnterForegroundNotification, object: self)
        case .didBecomeActive:
            delegate?.applicationDidBecomeActive(self)
            center.post(name: Self.didBecomeActiveNotification, object: self)
        case .willResignActive:
            delegate?.applicationWillResignActive(self)
            center.post(name: Self.willResignActiveNotification, object: self)
        case .didEnterBackground:
            delegate?.applicationDidEnterBackground(self)
            center.post(name: Self.didEnterBackgroundNotification, object: self)
        }
    }
}

extension UIApplication {
    /// The name of the notification that the app became active.
    public nonisolated static let didBecomeActiveNotification = posted("UIApplicationDidBecomeActiveNotification")
    /// The name of the notification that the app is about to become inactive.
    public nonisolated static let willResignActiveNotification = posted("UIApplicationWillResignActiveNotification")
    /// The name of the notification that the app entered the background.
    public nonisolated static let didEnterBackgroundNotification = posted("UIApplicationDidEnterBackgroundNotification")
    /// The name of the notification that the app is about to enter the foreground.
    public nonisolated static let willEnterForegroundNotification = posted(
        "UIApplicationWillEnterForegroundNotification")
    /// The name of the notification that the app is about to end. Never posted: a simulated app ends without notice.
    public nonisolated static let willTerminateNotification = posted("UIApplicationWillTerminateNotification")

    /// Returns a notification's name, and makes sure that there is an instance that posts it.
    private nonisolated static func posted(_ name: String) -> Notification.Name {
        _ = application
        return Notification.Name(name)
    }
}
