public import Foundation

/// A quiz on its way, as the outbox keeps it.
public struct OutboxEntry: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// Not yet replied to: it goes out until it is.
        case pending
        case replied
        /// Refused for good.
        case failed
    }

    public let identifier: UUID
    /// The order of acceptance.
    public let position: Int64
    public let state: State
    /// Why it failed.
    public let reason: String?
    public let acceptedAt: Date
    public let settledAt: Date?
}
