public import Foundation

/// Background time to prepare the app's user interface for a snapshot, as requested.
open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// Sets the task completed. The arguments are ignored.
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date?,
        userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {
        setTaskCompletedWithSnapshot(false)
    }
}
