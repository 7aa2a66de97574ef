/// What the system lets a device's app do, as the person with the device left it.
public enum ApplicationState: String, CaseIterable, Sendable {
    /// On the screen.
    case foreground
    /// Running, not on the screen.
    case background
    /// In memory, not running: nothing reaches its delegate.
    case suspended
    /// Not in memory: the system starts it again when something comes for it.
    case terminated

    /// Whether the app's code runs.
    public var isRunning: Bool { self == .foreground || self == .background }
}
