/// How far a session's activation is.
public enum WCSessionActivationState: Int, Sendable {
    case notActivated = 0
    /// A host's session while the user switches to another watch.
    case inactive = 1
    case activated = 2
}
