public import Foundation

/// Background time to prepare the app's face for a picture, as it was asked for.
open class WKSnapshotRefreshBackgroundTask: WKRefreshBackgroundTask {
    /// The face is ready. Nothing is done with the arguments.
    open func setTaskCompleted(
        restoredDefaultState: Bool, estimatedSnapshotExpiration: Date?,
        userInfo: (any NSSecureCoding & NSObjectProtocol)?
    ) {
        setTaskCompletedWithSnapshot(false)
    }
}
