import TestSupport
import Testing
import UIKit
import WatchKit

@Suite("UIKit")
struct UIKitTests {
    /// A delegate that records its calls.
    private final class AppDelegate: UIResponder, UIApplicationDelegate {
        let calls = Collector<String>()

        func applicationDidBecomeActive(_ application: UIApplication) { calls.add("active") }
        func applicationWillResignActive(_ application: UIApplication) { calls.add("resign") }
        func applicationWillEnterForeground(_ application: UIApplication) { calls.add("foreground") }
        func applicationDidEnterBackground(_ application: UIApplication) { calls.add("background") }
    }

    /// A delegate that implements nothing, as a delegate may.
    private final class PlainDelegate: UIResponder, UIApplicationDelegate {}

    @Test("Changes of the simulated app are told to the delegate and posted, each step once and in its order")
    @MainActor func changes() async {
        let (activity, center) = (AppActivity(), NotificationCenter())
        let application = UIApplication(activity: activity, center: center)
        let delegate = AppDelegate()
        application.delegate = delegate
        let posted = Collector<String>()
        let names = [
            UIApplication.didBecomeActiveNotification, UIApplication.willResignActiveNotification,
            UIApplication.didEnterBackgroundNotification, UIApplication.willEnterForegroundNotification,
            UIApplication.willTerminateNotification,
        ]
        for name in names {
            _ = center.addObserver(forName: name, object: nil, queue: nil) { posted.add($0.name.rawValue) }
        }
        let early = application.applicationState
        #expect(early == .active)
        activity.become(.background)
        activity.become(.background)
        let late = application.applicationState
        #expect(late == .background)
        activity.become(.active)
        await MainQueue.drain()
        #expect(delegate.calls.all == ["resign", "background", "foreground", "active"])
        #expect(
            posted.all == [
                "UIApplicationWillResignActiveNotification", "UIApplicationDidEnterBackgroundNotification",
                "UIApplicationWillEnterForegroundNotification", "UIApplicationDidBecomeActiveNotification",
            ])
    }

    @Test("A delegate that implements nothing has the defaults, and is held weakly")
    @MainActor func defaults() {
        let application = UIApplication(activity: AppActivity())
        var delegate: PlainDelegate? = PlainDelegate()
        application.delegate = delegate
        let launched = delegate?.application(application, didFinishLaunchingWithOptions: nil)
        #expect(launched == true)
        var results: [UIBackgroundFetchResult] = []
        delegate?.application(application, performFetchWithCompletionHandler: { results.append($0) })
        delegate?.application(application, didReceiveRemoteNotification: [:]) { results.append($0) }
        #expect(results == [.noData, .noData])
        delegate = nil
        let isGone = application.delegate == nil
        #expect(isGone)
    }

    @Test("Background tasks have identifiers of their own and are open until they end")
    @MainActor func backgroundTasks() {
        let application = UIApplication(activity: AppActivity())
        let first = application.beginBackgroundTask(withName: "sync")
        let second = application.beginBackgroundTask {}
        #expect(first != second)
        #expect(first != .invalid)
        #expect(application.recordedBackgroundTasks == [first: "sync", second: ""])
        application.endBackgroundTask(first)
        application.endBackgroundTask(.invalid)
        #expect(application.recordedBackgroundTasks == [second: ""])
    }

    @Test("A colour survives an archive that is read securely")
    @MainActor func archive() throws {
        let color = UIColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4)
        let data = try NSKeyedArchiver.archivedData(withRootObject: color, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: UIColor.self, from: data)
        #expect(read == color)
        #expect(read?.hash == color.hash)
    }

    @Test("A colour gives its components; shades of grey and opacity are colours, too")
    @MainActor func components() {
        var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (9, 9, 9, 9)
        let hasComponents = UIColor.orange.withAlphaComponent(2).getRed(&red, green: &green, blue: &blue, alpha: &alpha)
        #expect(hasComponents)
        #expect([red, green, blue, alpha] == [1, 0.5, 0, 1])
        #expect(UIColor(white: 0.5, alpha: 1) == UIColor.gray)
        #expect(UIColor.black != UIColor.clear)
        #expect(UIColor.red.copy() as? UIColor == UIColor.red)
    }

    @Test("The phone's identifier depends on the home directory and the model, and on nothing else")
    @MainActor func device() {
        let device = UIDevice.current
        #expect(device.identifierForVendor == UIDevice.current.identifierForVendor)
        #expect([device.model, device.systemName] == ["iPhone", "iOS"])
        #expect(device.batteryLevel == -1)
        let identifiers = [("iPhone", "/a"), ("iPhone", "/b"), ("iPad", "/a")].map {
            DeviceIdentity.vendorIdentifier(model: $0.0, home: $0.1)
        }
        #expect(Set(identifiers).count == 3)
    }
}
