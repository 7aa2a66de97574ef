/// The outcome of submitting a payload to the outbox.
public enum AcceptOutcome: Sendable, Equatable {
    /// The payload was accepted at this position.
    case accepted(position: Int64)
    /// The same payload, with the same content, was accepted before.
    case repeated(OutboxEntry.State, reason: String?)
    /// A payload with this identifier but different content was accepted before.
    case conflict
}
