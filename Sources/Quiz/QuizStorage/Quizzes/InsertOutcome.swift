/// The outcome of inserting a quiz. Each outcome is durable.
public enum InsertOutcome: Sendable, Equatable {
    /// The quiz was stored with this sequence number.
    case stored(sequence: Int64)
    /// The same quiz, with the same bytes, was stored before. It may have been changed or deleted since.
    case repeated
    /// A quiz with this identifier and device but different bytes was stored before.
    case conflict
}
