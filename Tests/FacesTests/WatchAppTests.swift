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

/// A delegate that implements nothing, as a delegate may.
private final class PlainDelegate: NSObject, WKApplicationDelegate {}

@Suite("Watch apps with a single target")
struct WatchAppTests {
    @Test("A task that nobody handles is completed without a snapshot: its app is gone, or has no method for tasks")
    @MainActor func unhandled() async {
        let application = WKApplication(activity: AppActivity(), center: NotificationCenter())
        let (orphan, unknown) = (RecordingTask {}, RecordingTask {})
        let delegate = PlainDelegate()
        application.delegate = delegate
        let isGiven = application.give(orphan)
        application.delegate = nil
        await MainQueue.drain()
        #expect(isGiven)
        #expect(orphan.snapshots.all == [false])
        delegate.handle([unknown])
        #expect(unknown.snapshots.all == [false])
    }

    @Test("An app that asks for the name of a notification alone is told of the changes by the shared application")
    func namesAlone() {
        let posted = Collector<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: WKApplication.didBecomeActiveNotification, object: nil, queue: nil
        ) { posted.add($0.name.rawValue) }
        AppActivity.shared.become(.background)
        AppActivity.shared.become(.active)
        posted.expect { $0.first == "WKApplicationDidBecomeActiveNotification" }
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("The watch's identifier is one of the form for identifiers of one's own, and the same at every look")
    @MainActor func identifier() {
        let device = WKInterfaceDevice.current()
        let identifiers = [device.identifierForVendor, device.identifierForVendor]
        let expected = DeviceIdentity.vendorIdentifier(model: "Apple Watch")
        #expect(identifiers == [expected, expected])
        let version = expected.uuid.6 >> 4
        #expect(version == 8)
        let variant = expected.uuid.8 >> 6
        #expect(variant == 0b10)
    }
}
