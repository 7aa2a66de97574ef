public import Foundation
import Locking

/// The watch. It has no hardware here: its name is that of the simulated device, its other properties are constants,
/// and haptics are recorded.
@preconcurrency @MainActor
open class WKInterfaceDevice: NSObject {
    /// The number of haptics that are kept. 1,000: many more than a test plays, and no burden for a program of days.
    public static let maximumRecordedHaptics = 1_000

    private static let device = WKInterfaceDevice()

    private var haptics: [WKHapticType] = []

    nonisolated package override init() {}

    /// Returns the watch.
    open class func current() -> WKInterfaceDevice { device }

    /// The simulated device's name if the environment has it as `WATCHLINK_DEVICE_NAME`; “Apple Watch” otherwise.
    open var name: String { DeviceIdentity.name(model: model) }
    /// The model: always “Apple Watch”.
    open var model: String { "Apple Watch" }
    /// The model in the user's language: always “Apple Watch”.
    open var localizedModel: String { model }
    /// The operating system: always “watchOS”, which is simulated.
    open var systemName: String { "watchOS" }
    /// The simulated version of the operating system: always “26.0”.
    open var systemVersion: String { "26.0" }
    /// The size of a screen of a watch of 45 mm. There is no screen.
    open var screenBounds: CGRect { CGRect(x: 0, y: 0, width: 198, height: 242) }
    /// The scale of a watch's screen. There is no screen.
    open var screenScale: CGFloat { 2 }
    /// An identifier that is always the same for a home directory.
    open var identifierForVendor: UUID? { DeviceIdentity.vendorIdentifier(model: model) }
    /// The value that the app set. There is no battery.
    open var isBatteryMonitoringEnabled = false
    /// The charge of the battery: always -1, which means unknown.
    open var batteryLevel: Float { -1 }
    /// The state of the battery: always unknown.
    open var batteryState: WKInterfaceDeviceBatteryState { .unknown }

    /// Records a haptic. Nothing is felt.
    open func play(_ type: WKHapticType) {
        if haptics.count >= Self.maximumRecordedHaptics { haptics.removeFirst() }
        haptics.append(type)
    }

    /// The haptics that the app played, the latest last. WatchLink's own: Apple's class does not have it.
    public var recordedHaptics: [WKHapticType] { haptics }
}
