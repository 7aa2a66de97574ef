/// The execution state of a device's app.
public enum ApplicationState: String, CaseIterable, Sendable {
    /// On the screen.
    case foreground
    /// Running, but not on the screen.
    case background
    /// In memory, but not running: its delegate receives nothing.
    case suspended
    /// Not in memory: the system launches it when content arrives.
    case terminated

    /// True while the app's code runs.
    public var isRunning: Bool { self == .foreground || self == .background }
}
