/// What became of one quiz that was to be inserted. In each case the answer is durable.
public enum InsertOutcome: Sendable, Equatable {
    case stored(sequence: Int64)
    /// The same quiz, with the same bytes, was stored before. It may have been changed or deleted here since.
    case repeated
    /// A quiz of this identifier and device, with other bytes, was stored before.
    case conflict
}
