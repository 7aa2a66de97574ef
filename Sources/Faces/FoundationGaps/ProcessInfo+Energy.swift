public import Foundation

extension ProcessInfo {
    /// The heat of a device, as an app adapts to it.
    public enum ThermalState: Int, Sendable {
        /// The normal state.
        case nominal
        /// The state in which an app puts off what can wait.
        case fair
        /// The state in which an app does less.
        case serious
        /// The state in which an app does only what the user waits for.
        case critical
    }

    /// The device's heat: always nominal.
    public var thermalState: ThermalState { .nominal }
    /// The notification of another heat; never posted.
    public static var thermalStateDidChangeNotification: Notification.Name {
        Notification.Name("NSProcessInfoThermalStateDidChangeNotification")
    }
    /// The mode in which a device saves energy: never on.
    public var isLowPowerModeEnabled: Bool { false }
}
