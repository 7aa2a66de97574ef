import TestSupport
import Testing
import WatchKit

@Suite("WatchKit's application")
struct WatchKitTests {
    /// A delegate that records its calls.
    private final class AppDelegate: NSObject, WKApplicationDelegate {
        let calls = Collector<String>()

        func applicationDidBecomeActive() { calls.add("active") }
        func applicationWillResignActive() { calls.add("resign") }
        func applicationWillEnterForeground() { calls.add("foreground") }
        func applicationDidEnterBackground() { calls.add("background") }
        func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
            for task in backgroundTasks {
                calls.add("\(type(of: task)) \((task.userInfo as? NSString)?.description ?? "-")")
            }
        }
    }

    /// A delegate that implements nothing, as a delegate may.
    private final class PlainDelegate: NSObject, WKApplicationDelegate {}

    private let activity = AppActivity()
    private let center = NotificationCenter()

    @Test("Changes of the simulated app are told to the delegate and posted, each step once and in its order")
    @MainActor func changes() async {
        let application = WKApplication(activity: activity, center: center)
        let delegate = AppDelegate()
        application.delegate = delegate
        let posted = Collector<String>()
        for name in [
            WKApplication.didBecomeActiveNotification, WKApplication.willResignActiveNotification,
            WKApplication.didEnterBackgroundNotification, WKApplication.willEnterForegroundNotification,
        ] {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { posted.add($0.name.rawValue) }
        }
        var states = [application.applicationState]
        for state in [AppActivity.State.inactive, .active, .background, .background, .inactive, .background, .active] {
            activity.become(state)
            states.append(application.applicationState)
        }
        await MainQueue.drain()
        #expect(states == [.active, .inactive, .active, .background, .background, .inactive, .background, .active])
        #expect(
            delegate.calls.all == [
                "resign", "active", "resign", "background", "foreground", "background", "foreground", "active",
            ])
        #expect(posted.all.count == 8)
        #expect(posted.all.first == "WKApplicationWillResignActiveNotification")
    }

    @Test(
        "Requested background time is reported as scheduled and given at its date, with its information",
        .timeLimit(.minutes(5)))
    @MainActor func requests() async {
        let application = WKApplication(activity: activity, center: center)
        let delegate = AppDelegate()
        application.delegate = delegate
        let scheduled = Collector<Bool>()
        application.scheduleBackgroundRefresh(withPreferredDate: .distantPast, userInfo: NSString(string: "lunch")) {
            scheduled.add($0 == nil)
        }
        application.scheduleSnapshotRefresh(withPreferredDate: .distantFuture, userInfo: nil) {
            scheduled.add($0 == nil)
        }
        while delegate.calls.all.isEmpty { await MainQueue.drain() }
        #expect(scheduled.all == [true, true])
        #expect(delegate.calls.all == ["WKApplicationRefreshBackgroundTask lunch"])
    }

    @Test("The extension gives requested background time, too", .timeLimit(.minutes(5)))
    func extensionRequests() async {
        final class Delegate: NSObject, WKExtensionDelegate {
            let tasks = Collector<String>()
            func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
                for task in backgroundTasks { tasks.add("\(type(of: task))") }
            }
        }
        let (application, delegate) = (WKExtension(), Delegate())
        application.delegate = delegate
        application.scheduleBackgroundRefresh(withPreferredDate: .distantPast, userInfo: nil) { _ in }
        while delegate.tasks.all.isEmpty { await MainQueue.drain() }
        #expect(delegate.tasks.all == ["WKApplicationRefreshBackgroundTask"])
    }

    @Test("A task is given to a delegate, which completes it by default; without a delegate it is not given")
    @MainActor func given() async {
        let application = WKApplication(activity: activity, center: center)
        let completed = Collector<String>()
        let early = application.give(WKRefreshBackgroundTask { completed.add("early") })
        #expect(!early)
        var delegate: PlainDelegate? = PlainDelegate()
        application.delegate = delegate
        let given = application.give(
            WKURLSessionRefreshBackgroundTask(sessionIdentifier: "s") { completed.add("given") })
        #expect(given)
        await MainQueue.drain()
        #expect(completed.all == ["given"])
        let late = application.give(WKRefreshBackgroundTask { completed.add("late") })
        withExtendedLifetime(delegate) {}
        delegate = nil
        await MainQueue.drain()
        #expect(late)
        #expect(completed.all == ["given", "late"])
    }

    @Test("Haptics are recorded, the latest last, up to a limit; the battery is unknown")
    @MainActor func device() {
        let device = WKInterfaceDevice()
        #expect(device.recordedHaptics == [])
        #expect(!device.isBatteryMonitoringEnabled)
        device.play(.success)
        device.play(.click)
        #expect(device.recordedHaptics == [.success, .click])
        for _ in 0..<WKInterfaceDevice.maximumRecordedHaptics { device.play(.retry) }
        #expect(device.recordedHaptics.count == WKInterfaceDevice.maximumRecordedHaptics)
        #expect(!device.recordedHaptics.contains(.click))
        #expect(device.batteryLevel == -1)
        #expect(device.batteryState == .unknown)
        #expect([device.model, device.systemName] == ["Apple Watch", "watchOS"])
        #expect(WKInterfaceDevice.current() === WKInterfaceDevice.current())
    }
}
