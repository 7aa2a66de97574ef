package import DeviceEngine
package import Foundation
package import LinkProtocol
package import Locking

/// The app's side of a device: it applies the shell's effects to the session, its delegate and its observers. Called on
/// the loop, unless stated otherwise.
package protocol DeviceApp: AnyObject, Sendable {
    // MARK: Presence

    /// Reports a change of presence; its consequences are reported afterwards.
    func presenceChanged(from former: PresenceOutline, to present: PresenceStateMachine)
    func perform(_ news: AppNotification)
    func connected(_ device: Device)
    func disconnected(_ device: Device)
    /// Reports that the counterpart is unreachable for now.
    func linkFailed(_ reason: String)
    func record(_ companion: Companion)
    func forget(_ companion: UUID)
    func activationFailed(_ error: any Error)

    // MARK: Messages

    /// Reports that a message failed.
    func failed(_ message: UUID, _ failure: MessageFailure, _ handlers: UncheckedBox<MessageHandlers>)
    /// Reports that the app that waited for a message's result has ended.
    func dropped(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// Reports that the phone left the watch that a message was sent to: its reply is no longer expected.
    func abandoned(_ message: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// Reports that a message can no longer be answered. Called from any thread.
    func unanswerable(_ message: MessagePackage)

    // MARK: Transfers

    /// Delivers a transfer to the delegate. `done` is called when the delegate's method has returned.
    func deliver(_ transfer: ReceivedTransfer, _ done: @escaping @Sendable (DeviceEngine.Delivery) -> Void)
    /// Reports a transfer's outcome to the delegate. `done` is called with `true` if a delegate was notified.
    func tellEnd(of transfer: UUID, _ ending: OutgoingTransfer.Ending, _ done: @escaping @Sendable (Bool) -> Void)
    func fileProgressed(_ transfer: UUID, to offset: Int64)
    /// Reports that transfers were forgotten. Called on the store's queue.
    func forgot(_ transfers: [UUID])
    /// Reports that the unaddressed transfers were assigned to a watch. Called on the store's queue.
    func adopted(_ peer: UUID)
    /// Reports that no context counts as sent to a counterpart. Called on the store's queue.
    func forgotContexts(of peer: UUID)
    /// Reports that a context arrived. Called on the store's queue.
    func receivedContext(_ payload: Data, from peer: UUID)

    // MARK: The state of the app, from any thread

    /// True if content for the app can be delivered immediately.
    var canDeliver: Bool { get }
    /// True if the work that the app was woken for is done.
    var isDrained: Bool { get }
    /// Returns the background time that the app gets before delivery; nil for the usual behaviour.
    func earlyTaskSpan() -> Duration?
    /// Reports whether there is content that could not be delivered on arrival.
    func pendingChanged(_ isPending: Bool)
    func drainIfDone()
}
