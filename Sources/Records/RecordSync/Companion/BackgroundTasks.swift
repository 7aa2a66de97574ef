public import EventLog
public import Foundation
import Locking
public import WatchConnectivity
public import WatchKit

/// The companion's pending background tasks. They are completed, and a new snapshot is scheduled, only when the session
/// is activated and no content is pending. Completing them earlier would suspend the application too early.
public final class BackgroundTasks: NSObject, WKExtensionDelegate, Sendable {
    private let session: WCSession
    private let application: WKExtension
    private let logger: Logger
    private let pending = Mutex<[WKRefreshBackgroundTask]>([])
    private let observations = Mutex<[NSKeyValueObservation]>([])

    /// Starts observing the session.
    ///
    /// - Parameters:
    ///   - session: The session to observe.
    ///   - application: The extension that schedules snapshots.
    ///   - logger: The logger of completed tasks.
    public init(session: WCSession, application: WKExtension = .shared(), logger: Logger) {
        self.session = session
        self.application = application
        self.logger = logger
        super.init()
        let activation = session.observe(\.activationState) { [weak self] _, _ in self?.completeIfDone() }
        let content = session.observe(\.hasContentPending) { [weak self] _, _ in self?.completeIfDone() }
        observations.withLock { $0 = [activation, content] }
    }

    /// Accepts the background tasks that launched or woke the application. Tasks of other kinds are completed
    /// immediately.
    public func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            guard task is WKWatchConnectivityRefreshBackgroundTask else {
                task.setTaskCompletedWithSnapshot(false)
                continue
            }
            pending.withLock { $0.append(task) }
        }
        completeIfDone()
    }

    private func completeIfDone() {
        guard session.activationState == .activated, !session.hasContentPending else { return }
        let tasks = pending.withLock { pending in
            let tasks = pending
            pending.removeAll()
            return tasks
        }
        guard !tasks.isEmpty else { return }
        for task in tasks { task.setTaskCompletedWithSnapshot(false) }
        logger.log(.backgroundTasksCompleted, [.count(tasks.count)])
        application.scheduleSnapshotRefresh(withPreferredDate: Date(), userInfo: nil) { [logger] error in
            logger.log(.snapshotScheduled, error.map { [.error($0)] } ?? [])
        }
    }
}
