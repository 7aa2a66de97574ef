package import DeviceEngine
package import Foundation
package import LinkProtocol
package import Locking

/// The app's side of a device: the shell's effects on the session, its delegate and its observers, in whichever words an app knows
/// them. Called on the loop, but for what says otherwise.
package protocol DeviceApp: AnyObject, Sendable {
    // MARK: Presence

    /// Presence has changed; what follows from that is told next.
    func presenceChanged(from former: PresenceStateMachine, to present: PresenceStateMachine)
    func perform(_ news: AppNews)
    func connected(_ device: Device)
    func disconnected(_ device: Device)
    /// The counterpart cannot be had for now.
    func linkFailed(_ reason: String)
    func record(_ companion: Companion)
    func forget(_ companion: UUID)
    func activationFailed(_ error: any Error)

    // MARK: Messages

    /// A message has failed.
    func failed(_ message: UUID, _ failure: MessageFailure, _ handlers: UncheckedBox<MessageHandlers>)
    /// The app that waited for the end of a message is gone.
    func dropped(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// The phone leaves the watch that a message was sent to: nobody waits for its reply any more.
    func abandoned(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// Nobody can answer a message any more. From any thread.
    func unanswerable(_ message: MessagePackage)

    // MARK: Transfers

    /// Gives a transfer to the delegate. `done` is called when its method has returned.
    func deliver(_ transfer: ReceivedTransfer, _ done: @escaping @Sendable (DeviceEngine.Delivery) -> Void)
    /// Tells the delegate how a transfer ended. `done` is called with whether it was told.
    func tellEnd(of transfer: UUID, _ ending: OutgoingTransfer.Ending, _ done: @escaping @Sendable (Bool) -> Void)
    func fileProgressed(_ transfer: UUID, to offset: Int64)
    /// On the store's queue: transfers are forgotten.
    func forgot(_ transfers: [UUID])
    /// On the store's queue: what waited for the first watch is for this one.
    func adopted(_ peer: UUID)
    /// On the store's queue: no context counts as sent to a counterpart.
    func forgotContexts(of peer: UUID)
    /// On the store's queue: a context arrived.
    func receivedContext(_ payload: Data, from peer: UUID)

    // MARK: What the app is like, from any thread

    /// Whether what comes for the app can be given to it at once.
    var canDeliver: Bool { get }
    /// Whether nothing is left of what the app was woken for.
    var isDrained: Bool { get }
    /// How long the app has its background time before it is given what came for it; nil for as usual.
    func earlyTaskSpan() -> Duration?
    /// There is content that could not be given when it came; or no more of it.
    func pendingChanged(_ isPending: Bool)
    func drainIfDone()
}
