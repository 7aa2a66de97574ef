/// What became of one quiz that was handed to the outbox.
public enum AcceptOutcome: Sendable, Equatable {
    case accepted(position: Int64)
    /// The same quiz, with the same content, was accepted before.
    case repeated(OutboxEntry.State, reason: String?)
    /// A quiz of this identifier, with other content, was accepted before.
    case conflict
}
