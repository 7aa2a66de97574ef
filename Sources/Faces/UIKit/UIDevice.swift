public import Foundation
import WatchKit

/// The phone. It has no hardware here: its name is that of the simulated device, its other properties are constants.
@preconcurrency @MainActor
open class UIDevice: NSObject {
    /// The state of a phone's battery.
    public enum BatteryState: Int, Sendable {
        /// The state is not known: the only one here.
        case unknown = 0
        /// The phone is not charged.
        case unplugged = 1
        /// The phone is being charged.
        case charging = 2
        /// The phone is fully charged.
        case full = 3
    }

    private static let device = UIDevice()

    nonisolated package override init() {}

    /// The phone.
    open class var current: UIDevice { device }

    /// The simulated device's name if the environment has it as `WATCHLINK_DEVICE_NAME`; “iPhone” otherwise.
    open var name: String { DeviceIdentity.name(model: model) }
    /// The model: always “iPhone”.
    open var model: String { "iPhone" }
    /// The model in the user's language: always “iPhone”.
    open var localizedModel: String { model }
    /// The operating system: always “iOS”, which is simulated.
    open var systemName: String { "iOS" }
    /// The simulated version of the operating system: always “26.0”.
    open var systemVersion: String { "26.0" }
    /// An identifier that is always the same for a home directory.
    open var identifierForVendor: UUID? { DeviceIdentity.vendorIdentifier(model: model) }
    /// The value that the app set. There is no battery.
    open var isBatteryMonitoringEnabled = false
    /// The charge of the battery: always -1, which means unknown.
    open var batteryLevel: Float { -1 }
    /// The state of the battery: always unknown.
    open var batteryState: BatteryState { .unknown }
}
