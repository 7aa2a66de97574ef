public import Foundation
import Locking

/// Background time that the system gives a watch's app. It ends when the task is set completed.
open class WKRefreshBackgroundTask: NSObject {
    private let completion: Mutex<(@Sendable () -> Void)?>

    /// The information that the app supplied with its request.
    public let userInfo: (any NSSecureCoding & NSObjectProtocol)?

    /// - Parameter onCompletion: Called once, when the app has completed the task.
    package init(
        userInfo: (any NSSecureCoding & NSObjectProtocol)? = nil, onCompletion: @escaping @Sendable () -> Void
    ) {
        self.userInfo = userInfo
        completion = Mutex(onCompletion)
    }

    /// Called when the time expires before the task is completed; set by the app.
    open var expirationHandler: (() -> Void)?

    /// Sets the task completed. Further calls do nothing. No snapshot is taken: the simulation has no user interface.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        let complete = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        complete?()
    }

    /// Expires the task, and notifies the app if the task is not completed.
    ///
    /// - Returns: `true` if it was not completed.
    package func expire() -> Bool {
        guard completion.withLock({ $0 != nil }) else { return false }
        expirationHandler?()
        return true
    }

    /// Sets the task completed.
    open func setTaskCompleted() { setTaskCompletedWithSnapshot(false) }
}
