/// The outcome of inserting a record. Each outcome is durable.
public enum InsertOutcome: Sendable, Equatable {
    /// The record was stored with this sequence number.
    case stored(sequence: Int64)
    /// The same record, with the same bytes, was stored before. It may have been changed or deleted since.
    case repeated
    /// A record with this key but different bytes was stored before.
    case conflict
}
