public import Foundation
import Locking

/// The watch's app as an object of the system, which gives background time to its delegate. The delegate's other
/// methods are never called: the simulation has no user interface.
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
        let (completion, information) = (UncheckedBox(scheduledCompletion), UncheckedBox(userInfo))
        let application = UncheckedBox(self)
        DispatchQueue.main.async { completion.value(nil) }
        DispatchQueue.main.asyncAfter(deadline: .now() + max(0, preferredFireDate.timeIntervalSinceNow)) {
            let task = WKSnapshotRefreshBackgroundTask(userInfo: information.value) {}
            application.value.delegate?.handle([task])
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
