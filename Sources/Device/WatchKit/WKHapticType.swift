/// A tap on the wrist that an app can ask for.
public enum WKHapticType: Int, Sendable {
    /// An alert arrived.
    case notification = 0
    /// A value rose.
    case directionUp = 1
    /// A value fell.
    case directionDown = 2
    /// An action succeeded.
    case success = 3
    /// An action failed.
    case failure = 4
    /// An action can be tried again.
    case retry = 5
    /// An activity starts.
    case start = 6
    /// An activity stops.
    case stop = 7
    /// A dial moved by one mark.
    case click = 8
}
