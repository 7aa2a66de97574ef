import Dispatch
import Foundation
import Locking
import TestSupport
import Testing
import WatchKit

/// A task that records how it is completed.
private final class RecordingTask: WKRefreshBackgroundTask {
    let snapshots = Collector<Bool>()

    init(_ onCompletion: @escaping @Sendable () -> Void) { super.init(userInfo: nil, onCompletion: onCompletion) }

    override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        snapshots.add(refreshSnapshot)
        super.setTaskCompletedWithSnapshot(refreshSnapshot)
    }
}

/// A snapshot's task that records how it is completed.
private final class RecordingSnapshotTask: WKSnapshotRefreshBackgroundTask {
    let snapshots = Collector<Bool>()

    init(_ onCompletion: @escaping @Sendable () -> Void) { super.init(userInfo: nil, onCompletion: onCompletion) }

    override func setTaskCompletedWithSnapshot(_ refreshSnapshot: Bool) {
        snapshots.add(refreshSnapshot)
        super.setTaskCompletedWithSnapshot(refreshSnapshot)
    }
}

/// An app that implements nothing, as an app may.
private final class PlainApp: NSObject, WKExtensionDelegate {}

/// An app that collects its tasks.
private final class CollectingApp: NSObject, WKExtensionDelegate, Sendable {
    let tasks = Collector<UncheckedBox<WKRefreshBackgroundTask>>()

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks { tasks.add(UncheckedBox(task)) }
    }
}

@Suite("Background time of a watch's app")
struct RefreshTaskTests {
    @Test("An app without a method for its tasks completes them all, each once and without a snapshot")
    func unhandled() {
        let completed = Collector<String>()
        let first = RecordingTask { completed.add("first") }
        let second = RecordingTask { completed.add("second") }
        let app = PlainApp()
        app.handle([first, second])
        #expect(completed.all.sorted() == ["first", "second"])
        #expect(first.snapshots.all == [false])
        #expect(second.snapshots.all == [false])
        app.handle([])
        #expect(completed.all.count == 2)
    }

    @Test("A task is completed by any of its methods, without a snapshot, and only once")
    func completion() {
        let completed = Collector<String>()
        let plain = RecordingTask { completed.add("plain") }
        plain.setTaskCompleted()
        #expect(plain.snapshots.all == [false])
        #expect(completed.all == ["plain"])
        plain.setTaskCompletedWithSnapshot(true)
        #expect(completed.all == ["plain"])
        let snapshot = RecordingSnapshotTask { completed.add("snapshot") }
        snapshot.setTaskCompleted(restoredDefaultState: true, estimatedSnapshotExpiration: nil, userInfo: nil)
        #expect(snapshot.snapshots.all == [false])
        #expect(completed.all == ["plain", "snapshot"])
        snapshot.setTaskCompleted()
        #expect(completed.all == ["plain", "snapshot"])
    }

    @Test("A task may expire without a handler, again and again until it is completed, and is completed afterwards")
    func expiration() {
        let told = Collector<String>()
        let task = WKRefreshBackgroundTask { told.add("completed") }
        let early = task.expire()
        task.expirationHandler = { told.add("expired") }
        let late = task.expire()
        task.setTaskCompleted()
        let afterwards = task.expire()
        #expect([early, late, afterwards] == [true, true, false])
        #expect(told.all == ["expired", "completed"])
    }

    @Test("A task without information has none, and one with information keeps it")
    func information() {
        let hasNone = WKRefreshBackgroundTask {}.userInfo == nil
        #expect(hasNone)
        let with = WKRefreshBackgroundTask(userInfo: NSString(string: "lunch")) {}
        let text = (with.userInfo as? NSString)?.description
        #expect(text == "lunch")
    }

    @Test("Without a delegate no task is given; with one it is, on the main queue, and is not completed by that")
    func given() {
        let completed = Collector<Bool>()
        let application = WKExtension()
        let early = application.give(WKRefreshBackgroundTask { completed.add(true) })
        #expect(!early)
        let app = CollectingApp()
        application.delegate = app
        let task = WKRefreshBackgroundTask { completed.add(true) }
        let late = application.give(task)
        #expect(late)
        app.tasks.expect { !$0.isEmpty }
        let given = app.tasks.all.map { $0.value === task }
        #expect(given == [true])
        #expect(completed.all == [])
        application.delegate = nil
        let afterwards = application.give(task)
        #expect(!afterwards)
        #expect(app.tasks.all.count == 1)
    }

    @Test("A task whose app is gone before it is given is completed without a snapshot")
    func goneApp() {
        let application = WKExtension()
        let app = CollectingApp()
        application.delegate = app
        let gate = DispatchSemaphore(value: 0)
        DispatchQueue.main.async { gate.wait() }
        let completed = Collector<Bool>()
        let task = RecordingTask { completed.add(true) }
        let isGiven = application.give(task)
        application.delegate = nil
        gate.signal()
        #expect(isGiven)
        completed.expect { !$0.isEmpty }
        #expect(task.snapshots.all == [false])
        #expect(app.tasks.all.isEmpty)
    }

    @Test("A delegate is held weakly")
    func weakDelegate() {
        let application = WKExtension()
        var app: CollectingApp? = CollectingApp()
        application.delegate = app
        let isHeld = application.delegate === app
        #expect(isHeld)
        app = nil
        let isGone = application.delegate == nil
        #expect(isGone)
    }

    @Test("A snapshot that was requested for a past date is scheduled, and given at once with its information")
    func snapshot() {
        let application = WKExtension()
        let app = CollectingApp()
        application.delegate = app
        let scheduled = Collector<String>()
        application.scheduleSnapshotRefresh(
            withPreferredDate: Date(timeIntervalSinceNow: -3_600), userInfo: NSString(string: "lunch")
        ) { error in scheduled.add(error.map { "\($0)" } ?? "no error") }
        scheduled.expect { $0 == ["no error"] }
        app.tasks.expect { !$0.isEmpty }
        let task = app.tasks.all.first?.value as? WKSnapshotRefreshBackgroundTask
        let text = (task?.userInfo as? NSString)?.description
        #expect(text == "lunch")
        withExtendedLifetime(application) {}
    }

    @Test("A snapshot that is requested for later is scheduled now, and not given yet")
    func laterSnapshot() {
        let application = WKExtension()
        let app = CollectingApp()
        application.delegate = app
        let scheduled = Collector<Bool>()
        application.scheduleSnapshotRefresh(
            withPreferredDate: Date(timeIntervalSinceNow: 3_600), userInfo: nil
        ) { error in scheduled.add(error == nil) }
        scheduled.expect { $0 == [true] }
        #expect(app.tasks.all.isEmpty)
        withExtendedLifetime(application) {}
    }
}
