public import Foundation

/// A payload in the outbox.
public struct OutboxEntry: Sendable, Equatable {
    /// The state of delivery.
    public enum State: String, Sendable, CaseIterable {
        /// Not yet replied to: the payload is sent until it is.
        case pending
        /// Stored by the host.
        case replied
        /// Permanently rejected.
        case failed
    }

    /// The identifier of the payload.
    public let identifier: UUID
    /// The position in the order of acceptance.
    public let position: Int64
    /// The state of delivery.
    public let state: State
    /// The reason for the failure; nil otherwise.
    public let reason: String?
    /// The time of acceptance.
    public let acceptedAt: Date
    /// The time at which the payload was replied to or failed; nil while it is pending.
    public let settledAt: Date?
}
