package import Foundation
package import Locking

/// An object that performs the work of a ``DelegateQueue``, on that queue.
package protocol DelegateQueuePerformer: AnyObject, Sendable {
    /// Delivers a message to the delegate.
    func perform(_ message: IncomingMessage)
    /// Delivers the reply to a message to its sender's handler.
    func perform(_ reply: Data, to identifier: UUID, _ handlers: UncheckedBox<MessageHandlers>)
    /// Discards a message whose app ended first.
    func discard(_ message: IncomingMessage)
    /// Runs `body`, and sends the answers that it produces as one batch.
    func batched(_ body: () -> Void)
    /// Reports that a batch is done.
    func endRound()
    /// Reports that no work is left.
    func becameIdle()
}
