import Foundation
package import RecordStorage

/// An action that an ``OutboxEngine`` requests. Payloads are given by their identifiers; an attempt is counted from 1.
package enum OutboxEffect: Equatable, Sendable {
    /// Open the database, read the pending entries and prune old ones; then call
    /// ``OutboxEngine/opened(_:forgotten:at:)`` or ``OutboxEngine/openingFailed(_:at:)``.
    case open
    /// Send a payload, with the identifier of its predecessor; then call ``OutboxEngine/ended(_:at:)``.
    case transmit(UUID, attempt: Int, after: UUID?)
    /// Record these outcomes in one commit; then call ``OutboxEngine/recorded(at:)`` or
    /// ``OutboxEngine/recordingFailed(at:)``.
    case record([OutboxEngine.End])
    /// Prune old entries; then call ``OutboxEngine/pruned(_:)`` on success.
    case prune
    /// Notify a waiter of the outcome of its payload, which is durable.
    case tell(Int, OutboxEntry.State, reason: String?)
    /// Notify a waiter that its payload is pending, with ``OutboxEngine/waitingReason(obstacle:)``.
    case tellPending(Int)

    // For the log.
    case opened(pending: Int)
    case replied(UUID, attempt: Int)
    case gaveUp(UUID, attempt: Int, reason: String)
    case retries(UUID, attempt: Int, reason: String)
    case replyWasMistaken(UUID, about: UUID?)
    case replyWasUnreadable(UUID, error: String)
}
