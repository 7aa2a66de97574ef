public import Foundation

/// A piece of background time that the system gave the watch application: it ends when it is set completed.
public protocol BackgroundTask: AnyObject, Sendable {
    func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool)
}

/// Asks the system for a new picture of the application.
public protocol SnapshotScheduling: Sendable {
    func scheduleSnapshotRefresh(withPreferredDate date: Date)
}
