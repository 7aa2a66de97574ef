import LinkProtocol

/// The activation state of a session, with Apple's numbers.
public enum WCSessionActivationState: Int, Sendable {
    /// The session cannot be used.
    case notActivated = 0
    /// Host only: the user is switching to another watch; content that the previous one sent is still delivered.
    case inactive = 1
    /// The session can be used.
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
