public import WatchConnectivity

/// The result of an activation.
public struct SessionActivation: Sendable {
    /// The state.
    public let state: WCSessionActivationState
    /// The error; nil if the activation succeeded.
    public let error: (any Error)?
}
