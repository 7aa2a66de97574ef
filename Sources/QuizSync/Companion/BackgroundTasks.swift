public import EventLog
import Foundation
import Locking
public import WatchConnectivity

/// The companion's pending background tasks: completed only when the session is activated and nothing is pending, and then a
/// new snapshot is scheduled. Completing them earlier would suspend the application in the middle of its data.
public final class BackgroundTasks: Sendable {
    private let session: WCSession
    private let snapshots: any SnapshotScheduling
    private let logger: Logger
    private let pending = Mutex<[any BackgroundTask]>([])
    private let observations = Mutex<[NSKeyValueObservation]>([])

    public init(session: WCSession, snapshots: any SnapshotScheduling, logger: Logger) {
        self.session = session
        self.snapshots = snapshots
        self.logger = logger
        let activation = session.observe(\.activationState) { [weak self] _, _ in self?.completeIfDone() }
        let content = session.observe(\.hasContentPending) { [weak self] _, _ in self?.completeIfDone() }
        observations.withLock { $0 = [activation, content] }
    }

    /// The system launched or woke the application for these.
    public func handle(_ tasks: [any BackgroundTask]) {
        pending.withLock { $0 += tasks }
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
        snapshots.scheduleSnapshotRefresh(withPreferredDate: Date())
        logger.log(.snapshotScheduled)
    }
}
