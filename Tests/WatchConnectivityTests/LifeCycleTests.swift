import DeviceEngine
import DeviceShell
import EventLog
import Foundation
import LinkProtocol
import Locking
import TestSupport
import Testing
import WatchKit

@testable import WatchConnectivity

/// Keeps the reply handler of each message.
private final class HoldingDelegate: NSObject, WCSessionDelegate, Sendable {
    let held = Collector<UncheckedBox<([String: Any]) -> Void>>()

    func session(_ session: WCSession, activationDidCompleteWith state: WCSessionActivationState, error: (any Error)?) {
    }
    func session(
        _ session: WCSession, didReceiveMessage message: [String: Any], replyHandler: @escaping ([String: Any]) -> Void
    ) { held.add(UncheckedBox(replyHandler)) }
}

// Serialised: the extension's delegate is global to the process.
@Suite("The life of an app", .serialized)
struct LifeCycleTests {
    private func end(_ session: WCSession) -> Collector<String> {
        let ends = Collector<String>()
        session.sendMessage(["q": 1]) { _ in
            ends.add("reply")
        } errorHandler: { error in
            ends.add("\((error as NSError).code)")
        }
        return ends
    }

    @Test("The phone's app may be in the background; the watch's may not")
    func reachability() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.enter(.background)
        #expect(pair.host.session.isReachable)
        #expect(pair.companion.session.isReachable)
        pair.companion.session.simulator.enter(.background)
        #expect(!pair.companion.session.isReachable)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable false" }
        end(pair.host.session).expect { $0 == ["7007"] }
        end(pair.companion.session).expect { $0 == ["7007"] }
        pair.companion.session.simulator.setWorkout(true)
        #expect(pair.companion.session.isReachable)
        pair.host.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable true" }
        pair.companion.session.simulator.setWorkout(false)
        pair.companion.session.simulator.enter(.foreground)
        pair.companion.session.simulator.setWristDown(true)
        #expect(!pair.companion.session.isReachable)
        pair.companion.session.simulator.setWristDown(false)
        #expect(pair.companion.session.isReachable)
    }

    @Test("A message from the watch wakes the phone's app, which is suspended again; none wakes the watch's")
    func wake() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.enter(.suspended)
        #expect(pair.companion.session.isReachable)
        end(pair.companion.session).expect { $0 == ["reply"] }
        pair.host.log.expect {
            $0.filter { $0.event == .applicationStateChanged }.map(\.fields).suffix(2) == [
                [.application("background")], [.application("suspended")],
            ]
        }
        pair.companion.session.simulator.enter(.suspended)
        pair.host.log.expect { $0.last { $0.event == .reachabilityChanged }?.fields.last == .reachable(false) }
        #expect(pair.companion.delegate.all("message").isEmpty)
    }

    @Test("An app that was woken by a message is not suspended again before it has replied")
    func wokenUntilReply() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let delegate = HoldingDelegate()
        pair.host.session.delegate = delegate
        let simulator = pair.host.session.simulator
        simulator.enter(.suspended)
        let ends = end(pair.companion.session)
        delegate.held.expect { $0.count == 1 }
        pair.host.log.expect { records in
            records.drop { $0.event != .messageReceived }.contains { $0.event == .delegateQueueIdle }
        }
        // Waits for the loop, which would have suspended the app by then.
        _ = simulator.linkCondition
        #expect(simulator.application == .background)
        delegate.held.all.first?.value([:])
        ends.expect { $0 == ["reply"] }
        pair.host.log.expect {
            $0.last { $0.event == .applicationStateChanged }?.fields == [.application("suspended")]
        }
        withExtendedLifetime(delegate) {}
    }

    @Test("An arrival wakes a watch's app that takes no tasks, and it is suspended again when it has the content")
    func wokenWithoutTask() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.companion.session.simulator.enter(.suspended)
        for number in 1...2 {
            pair.host.session.transferUserInfo(["n": number])
            pair.companion.delegate.events.expect { $0.contains("userInfo n=\(number)") }
            pair.companion.log.expect {
                $0.filter { $0.event == .applicationStateChanged }.map(\.fields).dropFirst(2 * number - 1) == [
                    [.application("background")], [.application("suspended")],
                ]
            }
        }
        #expect(pair.companion.count(.refreshTaskGiven) == 0)
    }

    @Test("A terminated phone app is launched by an arrival, and activates its session again")
    func launch() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.enter(.terminated)
        #expect(pair.host.session.activationState == .notActivated)
        pair.companion.session.transferUserInfo(["n": 1])
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        #expect(pair.host.logs(.applicationLaunched))
        #expect(pair.host.delegate.all("activated") == ["activated 2 ok", "activated 2 ok"])
        let order = pair.host.delegate.events.all
        #expect(order.lastIndex(of: "activated 2 ok") ?? 0 < order.firstIndex(of: "userInfo n=1") ?? 0, "\(order)")
    }

    @Test("A rebooted phone is not reachable before it is unlocked")
    func locked() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let seen = Collector<Bool>()
        let observation = pair.companion.session.observe(
            \.iOSDeviceNeedsUnlockAfterRebootForReachability, options: [.new]
        ) { _, change in seen.add(change.newValue ?? false) }
        pair.host.session.simulator.reboot()
        pair.companion.delegate.events.expect { $0.last { $0.hasPrefix("reachable") } == "reachable false" }
        #expect(pair.companion.session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        pair.companion.session.transferUserInfo(["n": 1])
        end(pair.companion.session).expect { $0 == ["7007"] }
        #expect(pair.host.delegate.all("userInfo").isEmpty)
        pair.host.session.simulator.unlock()
        #expect(pair.host.received(["userInfo n=1"], "userInfo"))
        seen.expect { $0 == [true, false] }
        observation.invalidate()
    }

    @Test("Arrivals for a suspended watch app wait as pending content, and wake it with a refresh task")
    func refreshTask() throws {
        final class Extension: NSObject, WKExtensionDelegate, Sendable {
            let tasks = Collector<UncheckedBox<WKRefreshBackgroundTask>>()
            func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
                for task in backgroundTasks { tasks.add(UncheckedBox(task)) }
            }
        }
        let pair = try TestPair()
        #expect(pair.connect())
        let application = Extension()
        WKExtension.shared().delegate = application
        let pending = Collector<Bool>()
        let observation = pair.companion.session.observe(\.hasContentPending, options: [.new]) { _, change in
            pending.add(change.newValue ?? false)
        }
        pair.companion.session.simulator.enter(.suspended)
        try pair.host.session.updateApplicationContext(["n": 1])
        #expect(pair.companion.received(["context n=1"], "context"))
        application.tasks.expect { $0.count == 1 }
        pending.expect { $0 == [true, false] }
        #expect(pair.companion.logs(.transferDelivered))
        let idleTimes = pair.companion.count(.delegateQueueIdle)
        pair.companion.session.core.queue.enqueue {}
        #expect(pair.companion.logs(.delegateQueueIdle, times: idleTimes + 1))
        // Waits for the loop, which would have suspended an app without a task by then.
        _ = pair.companion.session.simulator.linkCondition
        #expect(pair.companion.session.simulator.application == .background)
        application.tasks.all[0].value.setTaskCompletedWithSnapshot(false)
        pair.companion.log.expect {
            $0.last { $0.event == .applicationStateChanged }?.fields == [.application("suspended")]
        }
        #expect(application.tasks.all.count == 1)
        WKExtension.shared().delegate = nil
        observation.invalidate()
    }

    @Test("A refresh task may precede its content: nothing is pending then, and the content wakes the app again")
    func early() throws {
        final class Extension: NSObject, WKExtensionDelegate, Sendable {
            let pending = Collector<Bool>()
            let session: UncheckedBox<WCSession>
            init(_ session: WCSession) { self.session = UncheckedBox(session) }
            func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
                for task in backgroundTasks {
                    pending.add(session.value.hasContentPending)
                    task.setTaskCompletedWithSnapshot(false)
                }
            }
        }
        let pair = try TestPair()
        #expect(pair.connect())
        let application = Extension(pair.companion.session)
        WKExtension.shared().delegate = application
        pair.companion.session.simulator.inject(
            AppFault(.early(.milliseconds(200)), FaultSelection(limit: 1)))
        pair.companion.session.simulator.enter(.suspended)
        pair.host.session.transferUserInfo(["n": 1])
        application.pending.expect { $0.count == 1 }
        #expect(application.pending.all == [false])
        #expect(pair.companion.delegate.all("userInfo").isEmpty)
        #expect(pair.companion.received(["userInfo n=1"], "userInfo"))
        application.pending.expect { $0.count == 2 }
        WKExtension.shared().delegate = nil
    }

    @Test(
        "A refresh task that precedes its content applies to an inactive app: a running one gets it immediately")
    func earlyInForeground() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.companion.session.simulator.inject(AppFault(.early(.seconds(3_600)), FaultSelection(limit: 1)))
        pair.host.session.transferUserInfo(["n": 1])
        #expect(pair.companion.received(["userInfo n=1"], "userInfo"))
    }

    @Test("An item being delivered is not pending, neither in the foreground nor after it woke the app")
    func pendingInCallback() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        let pending = Collector<Bool>()
        let session = UncheckedBox(pair.companion.session)
        pair.companion.delegate.onUserInfo.withLock { $0 = { pending.add(session.value.hasContentPending) } }
        pair.host.session.transferUserInfo(["n": 1])
        pending.expect { $0 == [false] }
        // Two arrive while the app is away: the other one is pending in the first call, none in the second.
        pair.companion.session.simulator.enter(.suspended)
        pair.companion.session.simulator.setLinkUp(false)
        for number in 2...3 { pair.host.session.transferUserInfo(["n": number]) }
        let gate = DispatchSemaphore(value: 0)
        pair.companion.delegate.onUserInfo.withLock {
            $0 = {
                gate.wait()
                pending.add(session.value.hasContentPending)
            }
        }
        pair.companion.session.simulator.setLinkUp(true)
        pair.companion.log.expect { $0.filter { $0.event == .transferReceived }.count == 3 }
        gate.signal()
        gate.signal()
        pending.expect { $0.count == 3 && $0.first == false && $0.last == false }
    }

    @Test("A task that runs out of time notifies the app, unless its work is done")
    func expiration() {
        let told = Collector<String>()
        let task = WKWatchConnectivityRefreshBackgroundTask { told.add("completed") }
        task.expirationHandler = { told.add("expired") }
        let wasOverdue = task.expire()
        task.setTaskCompleted()
        task.setTaskCompletedWithSnapshot(true)
        let isOverdue = task.expire()
        #expect(wasOverdue)
        #expect(!isOverdue)
        #expect(told.all == ["expired", "completed"])
    }

    @Test("Background time requested at an extension without a delegate is given to the application's")
    func requestedAtExtension() async {
        let purposes = Collector<String>()
        let app = await MainActor.run {
            let app = SingleTargetApp(purposes)
            WKApplication.shared().delegate = app
            return app
        }
        let purpose = NSString(string: "lunch")
        WKExtension().scheduleBackgroundRefresh(withPreferredDate: .distantPast, userInfo: purpose) { _ in }
        purposes.expect { $0.contains("lunch") }
        await MainActor.run { WKApplication.shared().delegate = nil }
        withExtendedLifetime(app) {}
    }

    @Test("Nothing is sent to a phone without the app")
    func companionApp() throws {
        let pair = try TestPair()
        #expect(pair.connect())
        pair.host.session.simulator.setAppInstalled(false)
        pair.companion.delegate.events.expect { $0.contains("companion app false") }
        #expect(!pair.companion.session.isCompanionAppInstalled)
        end(pair.companion.session).expect { $0 == ["7018"] }
    }
}
