public import Foundation
import Locking

/// The watch's app, as the system knows it: who is told of background time. Nothing calls the delegate's other methods: a
/// process of this simulation has no face.
open class WKExtension: NSObject {
    private struct WeakDelegate: @unchecked Sendable {
        // Proof: the runtime guards a weak reference; the delegate is called on the main queue alone.
        weak var value: (any WKExtensionDelegate)?
    }

    // Proof of `nonisolated(unsafe)`: what changes of it is guarded by a mutex.
    private nonisolated(unsafe) static let application = WKExtension()

    private let held = Mutex(WeakDelegate(value: nil))

    open class func shared() -> WKExtension { application }

    /// Held weakly.
    open weak var delegate: (any WKExtensionDelegate)? {
        get { held.withLock { $0 }.value }
        set {
            let delegate = WeakDelegate(value: newValue)
            held.withLock { $0 = delegate }
        }
    }

    /// Asks for background time to prepare a picture of the app. The time is given at the date; no picture is taken.
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

    /// Gives the app background time. False if it has nobody to give it to.
    package func give(_ task: WKRefreshBackgroundTask) -> Bool {
        guard delegate != nil else { return false }
        let (application, given) = (UncheckedBox(self), UncheckedBox(task))
        DispatchQueue.main.async {
            // Whoever was there a moment ago may be gone; the time is over then.
            guard let delegate = application.value.delegate else {
                return given.value.setTaskCompletedWithSnapshot(false)
            }
            delegate.handle([given.value])
        }
        return true
    }
}
