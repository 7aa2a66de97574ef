public import Foundation
import Locking

/// The watch's app as an object of the system, which gives background time to its delegate. The delegate's other
/// methods are never called: the simulation has no user interface. Those of a `WKApplicationDelegate` are.
open class WKExtension: NSObject {
    private struct WeakDelegate: @unchecked Sendable {
        // Proof: the runtime guards weak references; the delegate is called on the main queue only.
        weak var value: (any WKExtensionDelegate)?
    }

    // Proof of `nonisolated(unsafe)`: its mutable state is guarded by a mutex.
    private nonisolated(unsafe) static let application = WKExtension()

    private let held = Mutex(WeakDelegate(value: nil))

    /// Returns the app's only instance.
    open class func shared() -> WKExtension { application }

    /// The delegate that receives background tasks; held weakly.
    open weak var delegate: (any WKExtensionDelegate)? {
        get { held.withLock { $0 }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            held.withLock { $0 = delegate }
        }
    }

    /// Requests background time to prepare a snapshot of the app. The task is given at the date; no snapshot is taken.
    open func scheduleSnapshotRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        let task = WKSnapshotRefreshBackgroundTask(userInfo: userInfo) {}
        schedule(task, at: preferredFireDate, scheduledCompletion)
    }

    /// Requests background time. The task is given at the date; there is no budget that could delay it.
    open func scheduleBackgroundRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        let task = WKApplicationRefreshBackgroundTask(userInfo: userInfo) {}
        schedule(task, at: preferredFireDate, scheduledCompletion)
    }

    /// The state of the simulated app; active until the session is activated.
    open var applicationState: WKApplicationState { WKApplicationState(AppActivity.shared.state) }

    private func schedule(
        _ task: WKRefreshBackgroundTask, at date: Date, _ scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        let application = UncheckedBox(self)
        BackgroundRequest.schedule(task, at: date, scheduledCompletion) { task in
            if let delegate = application.value.delegate {
                delegate.handle([task])
            } else {
                // Without a delegate of either kind, the app does not use tasks.
                _ = WKApplication.application.give(task)
            }
        }
    }

    /// Gives a background task to the app. Returns `false` if there is no delegate.
    package func give(_ task: WKRefreshBackgroundTask) -> Bool {
        guard delegate != nil else { return false }
        let (application, given) = (UncheckedBox(self), UncheckedBox(task))
        DispatchQueue.main.async {
            // The delegate may have been released in the meantime; the task then ends.
            guard let delegate = application.value.delegate else {
                return given.value.setTaskCompletedWithSnapshot(false)
            }
            delegate.handle([given.value])
        }
        return true
    }
}
