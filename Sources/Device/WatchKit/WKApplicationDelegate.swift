public import Foundation

/// The methods by which the system notifies a watch's app that has a single target. All are called on the main queue
/// and have default implementations.
@preconcurrency @MainActor
public protocol WKApplicationDelegate: NSObjectProtocol {
    /// The app has launched. Never called here.
    func applicationDidFinishLaunching()
    /// The app became active.
    func applicationDidBecomeActive()
    /// The app is about to become inactive.
    func applicationWillResignActive()
    /// The app is about to enter the foreground.
    func applicationWillEnterForeground()
    /// The app entered the background.
    func applicationDidEnterBackground()
    /// Gives the app background time for these tasks; each must be set completed.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

extension WKApplicationDelegate {
    /// Does nothing.
    public func applicationDidFinishLaunching() {}
    /// Does nothing.
    public func applicationDidBecomeActive() {}
    /// Does nothing.
    public func applicationWillResignActive() {}
    /// Does nothing.
    public func applicationWillEnterForeground() {}
    /// Does nothing.
    public func applicationDidEnterBackground() {}

    /// Sets all tasks completed.
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks { task.setTaskCompletedWithSnapshot(false) }
    }
}
