import LinkProtocol

/// Whether a session may be used. The numbers are Apple's.
public enum WCSessionActivationState: Int, Sendable {
    case notActivated = 0
    /// Host only: the user switches to another watch; what it has sent is still delivered.
    case inactive = 1
    case activated = 2

    init(_ activation: Activation) {
        self =
            switch activation {
            case .notActivated: .notActivated
            case .inactive: .inactive
            case .activated: .activated
            }
    }
}
