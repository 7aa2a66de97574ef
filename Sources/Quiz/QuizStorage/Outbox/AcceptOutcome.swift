/// The outcome of submitting a quiz to the outbox.
public enum AcceptOutcome: Sendable, Equatable {
    /// The quiz was accepted at this position.
    case accepted(position: Int64)
    /// The same quiz, with the same content, was accepted before.
    case repeated(OutboxEntry.State, reason: String?)
    /// A quiz with this identifier but different content was accepted before.
    case conflict
}
