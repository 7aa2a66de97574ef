package import Foundation
package import Locking

/// Carries out what comes to its turn on a ``DelegateQueue``, on that.
package protocol DelegateQueuePerformer: AnyObject, Sendable {
    /// Gives a message to the delegate.
    func perform(_ message: IncomingMessage)
    /// Gives the reply to a message to who waits for it.
    func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// The app ended before the message's turn.
    func discard(_ message: IncomingMessage)
    /// Lets what comes of the body go out together.
    func together(_ body: () -> Void)
    /// All that came together has had its turn.
    func endRound()
    /// Nothing is left to do.
    func becameIdle()
}
