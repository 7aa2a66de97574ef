/// The state of a watch's app.
public enum WKApplicationState: Int, Sendable {
    /// The app is in the foreground.
    case active = 0
    /// The app is in the foreground, but the wrist is down.
    case inactive = 1
    /// The app is not on the screen.
    case background = 2

    init(_ state: AppActivity.State) {
        self =
            switch state {
            case .active: .active
            case .inactive: .inactive
            case .background: .background
            }
    }
}
