public import WatchConnectivity

/// The session's properties at the time of a call that has no arguments.
public struct SessionState: Equatable, Sendable {
    /// The activation state.
    public let activationState: WCSessionActivationState
    /// True if a message would reach the counterpart.
    public let isReachable: Bool
    /// On the phone: true if a watch is paired.
    public let isPaired: Bool
    /// On the phone: true if the app is installed on the watch.
    public let isWatchAppInstalled: Bool
    /// On the watch: true if the app is installed on the phone.
    public let isCompanionAppInstalled: Bool

    init(_ session: WCSession) {
        activationState = session.activationState
        isReachable = session.isReachable
        isPaired = session.isPaired
        isWatchAppInstalled = session.isWatchAppInstalled
        isCompanionAppInstalled = session.isCompanionAppInstalled
    }
}
