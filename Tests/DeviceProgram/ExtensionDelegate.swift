import WatchConnectivity
import WatchKit

/// The delegate of a watch's extension, as the samples for Apple's platforms have it: it keeps the background tasks until
/// the session is activated and has given all that came.
final class ExtensionDelegate: NSObject, WKExtensionDelegate {
    private lazy var sessionDelegator: SessionDelegator = {
        return SessionDelegator()
    }()
    private var activationStateObservation: NSKeyValueObservation?
    private var hasContentPendingObservation: NSKeyValueObservation?
    private var wcBackgroundTasks = [WKWatchConnectivityRefreshBackgroundTask]()

    override init() {
        super.init()
        assert(WCSession.isSupported(), "WATCHLINK_ROLE and WATCHLINK_SOCKET are not set")
        activationStateObservation = WCSession.default.observe(\.activationState) { _, _ in
            DispatchQueue.main.async { self.completeBackgroundTasks() }
        }
        hasContentPendingObservation = WCSession.default.observe(\.hasContentPending) { _, _ in
            DispatchQueue.main.async { self.completeBackgroundTasks() }
        }
        WCSession.default.delegate = sessionDelegator
        WCSession.default.activate()
    }

    func completeBackgroundTasks() {
        guard !wcBackgroundTasks.isEmpty else { return }
        guard WCSession.default.activationState == .activated, WCSession.default.hasContentPending == false else {
            return
        }
        for task in wcBackgroundTasks { task.setTaskCompletedWithSnapshot(false) }
        print("completed \(wcBackgroundTasks.count) tasks")
        fflush(stdout)
        let date = Date(timeIntervalSinceNow: 1)
        WKExtension.shared().scheduleSnapshotRefresh(withPreferredDate: date, userInfo: nil) { error in
            if let error = error { print("scheduleSnapshotRefresh error: \(error)!") }
        }
        wcBackgroundTasks.removeAll()
    }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            if let wcTask = task as? WKWatchConnectivityRefreshBackgroundTask {
                wcBackgroundTasks.append(wcTask)
            } else {
                task.setTaskCompletedWithSnapshot(false)
            }
        }
        completeBackgroundTasks()
    }
}
