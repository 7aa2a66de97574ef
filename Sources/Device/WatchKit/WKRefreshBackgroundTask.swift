public import Foundation
import Locking

/// A piece of background time that the system gives a watch's app: it ends when it is set completed.
open class WKRefreshBackgroundTask: NSObject {
    private let completion: Mutex<(@Sendable () -> Void)?>

    /// What the app gave when it asked for the time.
    public let userInfo: (any NSSecureCoding & NSObjectProtocol)?

    /// - Parameter onCompletion: Called once, when the app has done its work.
    package init(
        userInfo: (any NSSecureCoding & NSObjectProtocol)? = nil, onCompletion: @escaping @Sendable () -> Void
    ) {
        self.userInfo = userInfo
        completion = Mutex(onCompletion)
    }

    /// Called when the time is over and the work is not done; set by the app.
    open var expirationHandler: (() -> Void)?

    /// The work is done. Calling it again does nothing. No picture is taken either way: nothing has a face here.
    open func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        let complete = completion.withLock { completion in
            defer { completion = nil }
            return completion
        }
        complete?()
    }

    /// The time is over. Tells the app, if its work is not done.
    ///
    /// - Returns: Whether it was not.
    package func expire() -> Bool {
        guard completion.withLock({ $0 != nil }) else { return false }
        expirationHandler?()
        return true
    }

    /// The work is done.
    open func setTaskCompleted() { setTaskCompletedWithSnapshot(false) }
}
