public import Words

/// Something that a person does to a device, or the system to its app, in one word.
public enum DeviceDeed: String, CaseIterable, SaidInWords {
    case foreground
    case background
    case suspended
    case terminated
    case wristDown = "wrist-down"
    case wristUp = "wrist-up"
    case workoutStart = "workout-start"
    case workoutEnd = "workout-end"
    case reboot
    case unlock
    case install
    case uninstall
    case linkDown = "link-down"
    case linkUp = "link-up"

    /// The app enters a state.
    public init(_ state: ApplicationState) {
        self =
            switch state {
            case .foreground: .foreground
            case .background: .background
            case .suspended: .suspended
            case .terminated: .terminated
            }
    }

    /// - Parameter words: One word.
    public init(words: [String]) throws(WordError) {
        var reader = WordReader(words)
        self = try reader.choice("device")
        try reader.end("device \(rawValue)")
    }

    package var words: [String] { [rawValue] }
}
