/// The state of a watch's battery.
public enum WKInterfaceDeviceBatteryState: Int, Sendable {
    /// The state is not known: the only one here.
    case unknown = 0
    /// The watch is not charged.
    case unplugged = 1
    /// The watch is being charged.
    case charging = 2
    /// The watch is fully charged.
    case full = 3
}
