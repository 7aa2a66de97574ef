public import Foundation

/// The methods by which the system notifies a watch's app. All are called on the main queue and have default
/// implementations.
public protocol WKExtensionDelegate: NSObjectProtocol {
    /// The app has launched. Never called here.
    func applicationDidFinishLaunching()
    /// The app became active. Never called here.
    func applicationDidBecomeActive()
    /// The app is about to become inactive. Never called here.
    func applicationWillResignActive()
    /// The app is about to enter the foreground. Never called here.
    func applicationWillEnterForeground()
    /// The app entered the background. Never called here.
    func applicationDidEnterBackground()
    /// Gives the app background time for these tasks; each must be set completed.
    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>)
}

extension WKExtensionDelegate {
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
