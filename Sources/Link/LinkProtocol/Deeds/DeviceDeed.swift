public import Words

/// An action of a person on a device, or of the system on its app, in one word.
public enum DeviceDeed: String, CaseIterable, WordConvertible {
    /// The app comes to the foreground.
    case foreground
    /// The app enters the background.
    case background
    /// The app is suspended.
    case suspended
    /// The app is terminated.
    case terminated
    /// The person lowers the wrist with the watch.
    case wristDown = "wrist-down"
    /// The person raises the wrist with the watch.
    case wristUp = "wrist-up"
    /// A workout starts on the watch.
    case workoutStart = "workout-start"
    /// A workout ends on the watch.
    case workoutEnd = "workout-end"
    /// The phone restarts and is locked.
    case reboot
    /// The phone is unlocked after a restart.
    case unlock
    /// The app is installed on the device.
    case install
    /// The app is removed from the device.
    case uninstall
    /// The link goes down.
    case linkDown = "link-down"
    /// The link comes up.
    case linkUp = "link-up"

    /// Creates the action that puts the app into a state.
    public init(_ state: ApplicationState) {
        self =
            switch state {
            case .foreground: .foreground
            case .background: .background
            case .suspended: .suspended
            case .terminated: .terminated
            }
    }

    /// Creates an action from command words.
    ///
    /// - Parameter words: One word.
    /// - Throws: `WordError` if it is missing, unknown or followed by another.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        self = try reader.choice("device")
        try reader.end("device \(rawValue)")
    }

    package var words: [String] { [rawValue] }
}
