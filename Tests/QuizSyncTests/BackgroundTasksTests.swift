import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing
import WatchConnectivity
import WatchKit

@testable import QuizSync
@testable import RecordSync

/// An extension that records for when snapshots are requested, and reports each as scheduled.
// Proof of `@unchecked Sendable`: it adds only an immutable property, which is Sendable.
private final class SnapshotRecorder: WKExtension, @unchecked Sendable {
    let dates = Collector<Date>()

    override func scheduleSnapshotRefresh(
        withPreferredDate preferredFireDate: Date, userInfo: (any NSSecureCoding & NSObjectProtocol)?,
        scheduledCompletion: @escaping ((any Error)?) -> Void
    ) {
        dates.add(preferredFireDate)
        scheduledCompletion(nil)
    }
}

/// A task for received content that records how it is completed.
// Proof of `@unchecked Sendable`: it adds only an immutable property, which is Sendable.
private final class ContentTask: WKWatchConnectivityRefreshBackgroundTask, @unchecked Sendable {
    let snapshots = Collector<Bool>()

    init(_ onCompletion: @escaping @Sendable () -> Void = {}) { super.init(userInfo: nil, onCompletion: onCompletion) }

    override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        snapshots.add(refreshSnapshot)
        super.setTaskCompletedWithSnapshot(refreshSnapshot)
    }
}

/// A task of another kind that records how it is completed.
// Proof of `@unchecked Sendable`: it adds only an immutable property, which is Sendable.
private final class OtherTask: WKRefreshBackgroundTask, @unchecked Sendable {
    let snapshots = Collector<Bool>()

    init(_ onCompletion: @escaping @Sendable () -> Void = {}) { super.init(userInfo: nil, onCompletion: onCompletion) }

    override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        snapshots.add(refreshSnapshot)
        super.setTaskCompletedWithSnapshot(refreshSnapshot)
    }
}

/// An activated session whose content is pending on demand.
// Proof of `@unchecked Sendable`: it adds only an immutable property, which is Sendable.
private final class PendingSession: WCSession, @unchecked Sendable {
    let isPending = SharedFlag()

    override init() { super.init() }

    override var activationState: WCSessionActivationState { .activated }
    override var hasContentPending: Bool { isPending.isSet }
}

extension ApplicationTests {
    /// Part of the serialised suite, as the states of its sessions are posted to the whole process.
    @Suite("Background tasks")
    struct BackgroundTasksTests {
        private let scratch: Scratch
        private let session: WCSession
        private let delegate = WatchSessionDelegate()
        private let application = SnapshotRecorder()
        private let log = Collector<LogRecord>()
        private let tasks: BackgroundTasks

        init() throws {
            scratch = try Scratch()
            session = WCSession(
                configuration: DeviceConfiguration(
                    device: Device(identifier: UUID(), role: .companion, name: "c"),
                    socketPath: scratch.path("none.sock"), stateDirectory: scratch.path("state")))
            session.delegate = delegate
            let log = log
            tasks = BackgroundTasks(
                session: session, application: application,
                logger: Logger(service: "test", minimumLevel: .debug) { log.add($0) })
        }

        @Test("A task of another kind is completed at once, without a snapshot; one for content waits for the session")
        func kinds() {
            let (content, other) = (ContentTask(), OtherTask())
            tasks.handle([content, other])
            #expect(other.snapshots.all == [false])
            #expect(content.snapshots.all == [])
            #expect(application.dates.all == [])
            session.activate()
            content.snapshots.expect { !$0.isEmpty }
            application.dates.expect { !$0.isEmpty }
            #expect(content.snapshots.all == [false])
            #expect(other.snapshots.all == [false])
        }

        @Test("Tasks that come together are completed together, each once, and one snapshot is requested for them")
        func together() {
            session.activate()
            let (first, second, third) = (ContentTask(), ContentTask(), ContentTask())
            tasks.handle([first, second])
            log.expect { $0.contains { $0.event == .snapshotScheduled } }
            tasks.handle([])
            tasks.handle([third])
            log.expect { $0.count { $0.event == .snapshotScheduled } == 2 }
            tasks.handle([])
            #expect(first.snapshots.all == [false])
            #expect(second.snapshots.all == [false])
            #expect(third.snapshots.all == [false])
            #expect(application.dates.all.count == 2)
            let completions = log.all.filter { $0.event == .backgroundTasksCompleted }.map(\.fields)
            #expect(completions == [[.count(2)], [.count(1)]])
        }

        @Test("Without a task for content nothing is logged and no snapshot requested, whatever the session does")
        func none() {
            let other = OtherTask()
            session.activate()
            tasks.handle([])
            let content = ContentTask()
            tasks.handle([content])
            content.snapshots.expect { !$0.isEmpty }
            log.expect { $0.contains { $0.event == .snapshotScheduled } }
            tasks.handle([other])
            #expect(other.snapshots.all == [false])
            #expect(application.dates.all.count == 1)
        }

        @Test("While content is pending no task is completed and no snapshot requested; as soon as none is, both are")
        func pending() {
            let active = PendingSession()
            active.isPending.set()
            let tasks = BackgroundTasks(session: active, application: application, logger: .silent)
            let content = ContentTask()
            tasks.handle([content])
            #expect(content.snapshots.all == [])
            #expect(application.dates.all == [])
            active.isPending.set(false)
            tasks.handle([])
            #expect(content.snapshots.all == [false])
            #expect(application.dates.all.count == 1)
            active.isPending.set()
            let later = ContentTask()
            tasks.handle([later])
            #expect(later.snapshots.all == [])
            #expect(application.dates.all.count == 1)
            active.isPending.set(false)
            tasks.handle([])
            #expect(later.snapshots.all == [false])
            #expect(content.snapshots.all == [false])
        }
    }
}
