import Dispatch
import Foundation
import Locking
import TestSupport
import Testing
import WatchKit

@testable import WatchConnectivity

/// Keeps its tasks, or completes each immediately.
private final class TaskApp: NSObject, WKExtensionDelegate, Sendable {
    let completes = Mutex(false)
    let kept = Collector<UncheckedBox<WKRefreshBackgroundTask>>()

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        let completes = completes.withLock { $0 }
        for task in backgroundTasks {
            if completes { task.setTaskCompletedWithSnapshot(false) } else { kept.add(UncheckedBox(task)) }
        }
    }
}

// In the same suite, because the extension's delegate is global to the process.
extension LifeCycleTests {
    @Test("A task that the app has not completed in its time is overdue, and one that it has completed is not")
    func overdueTask() {
        let app = TaskApp()
        WKExtension.shared().delegate = app
        let told = Collector<String>()
        func give(_ name: String) -> Bool {
            BackgroundLaunch.give(within: .milliseconds(1)) {
                told.add("\(name) completed")
            } onOverdue: {
                told.add("\(name) overdue")
            }
        }
        let isFirstGiven = give("first")
        #expect(isFirstGiven)
        told.expect { $0 == ["first overdue"] }
        // The app completes it on the main queue, on which its time expires later.
        app.completes.withLock { $0 = true }
        let isSecondGiven = give("second")
        #expect(isSecondGiven)
        told.expect { $0 == ["first overdue", "second completed"] }
        app.completes.withLock { $0 = false }
        let isThirdGiven = give("third")
        #expect(isThirdGiven)
        told.expect { $0.last == "third overdue" }
        #expect(told.all == ["first overdue", "second completed", "third overdue"])
        WKExtension.shared().delegate = nil
    }

    @Test("An app without a delegate gets no task, which is neither completed nor overdue")
    func noTask() {
        WKExtension.shared().delegate = nil
        let told = Collector<String>()
        let isGiven = BackgroundLaunch.give(within: .milliseconds(1)) {
            told.add("completed")
        } onOverdue: {
            told.add("overdue")
        }
        #expect(!isGiven)
        #expect(told.all == [])
    }
}
