import Foundation
package import QuizStorage

/// What an ``OutboxEngine`` has somebody do. A quiz is its identifier, an attempt the number of its tries.
package enum OutboxEffect: Equatable, Sendable {
    /// Read what waits, and forget what is old; then ``OutboxEngine/opened(_:forgotten:at:)`` or
    /// ``OutboxEngine/openingFailed(_:at:)``.
    case open
    /// Send it, with the name of the one before it; then ``OutboxEngine/ended(_:at:)``.
    case transmit(UUID, attempt: Int, after: UUID?)
    /// Write these down, in one commit; then ``OutboxEngine/recorded(at:)`` or ``OutboxEngine/recordingFailed(at:)``.
    case record([OutboxEngine.End])
    /// Forget what is old; then ``OutboxEngine/pruned(_:)`` if that worked.
    case prune
    /// Tell a waiter how its quiz ended. That is durable.
    case tell(Int, OutboxEntry.State, reason: String?)
    /// Tell a waiter that its quiz has no end yet, and ``OutboxEngine/waitingReason(obstacle:)``.
    case tellPending(Int)

    // For the log.
    case opened(pending: Int)
    case replied(UUID, attempt: Int)
    case gaveUp(UUID, attempt: Int, reason: String)
    case retries(UUID, attempt: Int, reason: String)
    case replyWasMistaken(UUID, about: UUID?)
    case replyWasUnreadable(UUID, error: String)
}
